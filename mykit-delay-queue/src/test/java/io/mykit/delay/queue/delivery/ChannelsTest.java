package io.mykit.delay.queue.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.InstalledChannel;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChannelsTest {
    private final FakeFactory one = new FakeFactory("one");
    private final FakeFactory two = new FakeFactory("two");

    @Test
    void aTopicGoesWhereTheConfigurationSays() {
        Channels channels =
                channels(Map.of("delivery.default-channel", "one", "delivery.topics.orders.channel", "two"));

        assertThat(channels.route("orders").name()).isEqualTo("two");
        assertThat(channels.route("orders").channel()).isSameAs(two.opened.get(0));
        assertThat(channels.route("else").name()).isEqualTo("one");
    }

    @Test
    void aChannelIsOpenedOnceAndOnlyWhenNeeded() {
        Channels channels =
                channels(Map.of("delivery.default-channel", "one", "delivery.topics.orders.channel", "two"));
        assertThat(one.opened).isEmpty();

        channels.route("a");
        channels.route("b");

        assertThat(one.opened).hasSize(1);
        assertThat(two.opened).isEmpty();
    }

    /** Teams must not share a topic at a broker, and a push is refused before any message is there. */
    @Test
    void aTopicWithTheNameOfAForeignOneAtItsBrokerIsRefused() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        Namespaces namespaces = new Namespaces("shop"::equals);

        assertThat(channels.objection(on("shop.orders"), namespaces)).get().satisfies(refusal -> assertThat(refusal)
                .hasMessage("topic shop.orders would be shop.orders at its broker (channel one), which is a"
                        + " name of topics in a namespace; choose another topic"));
        assertThat(channels.objection(on("shop/orders"), namespaces)).isEmpty();
        assertThat(channels.objection(on("shop.orders"), Namespaces.NONE)).isEmpty();
    }

    private static DelayMessage on(String topic) {
        return MessageBuilder.withId("1").topic(topic).build();
    }

    @Test
    void openAllOpensWhatIsNamed() {
        channels(Map.of("delivery.default-channel", "one")).openAll();
        assertThat(one.opened).hasSize(1);
        assertThat(two.opened).isEmpty();
    }

    @Test
    void aChannelOfAnOperatorComesBeforeTheConfiguration() {
        Channels channels = channels(Map.of(
                "delivery.default-channel", "one", "delivery.topics.orders", "one", "delivery.topics.jobs/*", "pull"));
        Pulled pulled = channels.pulled();
        List<String> told = new ArrayList<>();
        channels.onChange(topic -> told.add(topic + " " + channels.channelOf(topic)));
        assertThat(channels.source("orders")).isEqualTo("delivery.topics.orders");
        assertThat(channels.source("jobs/a")).isEqualTo("delivery.topics.jobs/*");
        assertThat(channels.source("x")).isEqualTo("delivery.default-channel");
        int version = pulled.version();

        channels.set(Map.of("orders", "two", "jobs/a", "one", "x", "pull"));
        assertThat(told).containsExactly("jobs/a one", "orders two", "x pull");
        assertThat(channels.route("orders").channel()).isSameAs(two.opened.get(0));
        assertThat(channels.source("orders")).isEqualTo("operator");
        assertThat(pulled.contains("x")).isTrue();
        assertThat(pulled.contains("jobs/a")).isFalse();
        assertThat(pulled.contains("jobs/b")).isTrue();
        assertThat(pulled.now().named()).containsExactly("x");
        assertThat(pulled.version()).isNotEqualTo(version);
        assertThat(channels.names()).containsExactly("one", "pull", "two");
        assertThat(channels.byName())
                .isEqualTo(Map.of("orders", "two", "jobs/*", "pull", "jobs/a", "one", "x", "pull"));

        channels.set(Map.of("orders", "two"));
        assertThat(told).hasSize(5).endsWith("jobs/a pull", "x one");
        assertThat(pulled.contains("x")).isFalse();
    }

    /** The leader must not send them elsewhere, and a node that only takes pushes needs no channel. */
    @Test
    void aChannelOfAnOperatorThatIsNotInstalledHereHasNoRouteAndObjectsToNothing() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        channels.set(Map.of("orders", "three"));
        assertThat(channels.channelOf("orders")).isEqualTo("three");
        assertThatThrownBy(() -> channels.route("orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the delivery channel three is not installed here; there are one, two, pull");
        assertThat(channels.objection(on("orders"), Namespaces.NONE)).isEmpty();
        assertThat(channels.retry("orders")).isEqualTo(RetryOptions.NONE);
        assertThat(channels.route(on("orders")).channel()).isEqualTo("three");
    }

    @Test
    void aChannelThatWouldRefuseTheTopicCannotBeGivenToIt() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        assertThat(channels.refusal("orders", "two", Namespaces.NONE)).isEmpty();
        assertThat(channels.refusal("orders", "pull", Namespaces.NONE)).isEmpty();
        assertThat(channels.refusal("orders", "three", Namespaces.NONE))
                .contains("the delivery channel three is not installed here; there are one, two, pull");
        assertThat(channels.refusal("bad", "two", Namespaces.NONE)).contains("two does not like it");
        assertThat(channels.refusal("shop.orders", "two", new Namespaces("shop"::equals))
                        .orElseThrow())
                .contains("is a name of topics in a namespace");
        two.broken = true;
        Channels others = channels(Map.of("delivery.default-channel", "one"));
        assertThat(others.refusal("orders", "two", Namespaces.NONE)).contains("mykit.delay.two.url is missing");
    }

    @Test
    void anUnknownChannelStopsTheStart() {
        assertThatThrownBy(() -> channels(Map.of("delivery.default-channel", "kafka")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.delivery.default-channel")
                .hasMessageContaining("kafka")
                .hasMessageContaining("one, two");
        assertThatThrownBy(() ->
                        channels(Map.of("delivery.default-channel", "one", "delivery.topics.orders.channel", "nope")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.delivery.topics.orders")
                .hasMessageContaining("nope")
                .hasMessageContaining("one, two");
    }

    @Test
    void aChannelGetsItsOwnSettings() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        channels.route("a");
        assertThat(one.settings.section()).isEqualTo("mykit.delay.one");
    }

    @Test
    void aTargetNeedsAChannelThatTakesTargets() {
        Channels channels = channels(Map.of("delivery.default-channel", "one", "delivery.topics.other", "two"));
        DelayMessage targeted = message("good")
                .withExtras(ExtrasBuilder.extras().target(Map.of("url", "u")).build());
        assertThat(refusal(channels, targeted))
                .contains("INVALID_REQUEST target is not allowed here: the channel one of this topic takes no targets");
        one.takesTargets = true;
        assertThat(channels.objection(targeted)).isEmpty();
        assertThat(refusal(channels, targeted.withBody("bad"))).contains("INVALID_REQUEST one does not like it");
    }

    @Test
    void aTargetThatTheChannelForbidsHasAnErrorWordOfItsOwn() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        one.takesTargets = true;
        DelayMessage closed = message("good")
                .withExtras(
                        ExtrasBuilder.extras().target(Map.of("url", "closed")).build());
        assertThat(refusal(channels, closed)).contains("TARGET_FORBIDDEN one does not open closed");
        assertThat(refusal(channels, closed.withBody("bad"))).contains("INVALID_REQUEST one does not like it");
    }

    @Test
    void theDestinationIsThatOfTheMessageOrOfTheChannel() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        assertThat(channels.route(message("own")))
                .isEqualTo(new MessageRoute("one", Optional.of("receiver of the message")));
        assertThat(channels.route(message("good"))).isEqualTo(new MessageRoute("one", Optional.of("broker of one")));
    }

    /** A page that shows a message must not fail because of it. */
    @Test
    void aChannelThatThrowsNamesNoDestination() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        assertThat(channels.route(message("bad"))).isEqualTo(new MessageRoute("one", Optional.empty()));
    }

    @Test
    void consumersPullWithoutADestination() {
        Channels channels = channels(Map.of("delivery.default-channel", "pull"));
        assertThat(channels.route(message("good"))).isEqualTo(new MessageRoute("pull", Optional.empty()));
    }

    @Test
    void theObjectionIsTheChannelsOwn() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        assertThat(channels.objection(message("good"))).isEmpty();
        assertThat(refusal(channels, message("bad"))).contains("INVALID_REQUEST one does not like it");
    }

    private static Optional<String> refusal(Channels channels, DelayMessage message) {
        return channels.objection(message).map(refusal -> refusal.code() + " " + refusal.getMessage());
    }

    @Test
    void healthIsUpOnlyIfEveryOpenedChannelIs() {
        Channels channels =
                channels(Map.of("delivery.default-channel", "one", "delivery.topics.orders.channel", "two"));
        assertThat(channels.name()).isEqualTo("channels");
        assertThat(channels.check().up()).isTrue();
        channels.route("x");
        two.health = Health.down("gone");
        assertThat(channels.check().up()).isTrue();

        channels.route("orders");

        Health health = channels.check();
        assertThat(health.up()).isFalse();
        assertThat(health.details())
                .containsEntry("one", Map.of("up", true))
                .containsEntry("two", Map.of("up", false, "reason", "gone"));
    }

    @Test
    void aChannelThatThrowsWhenAskedIsDown() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        channels.route("x");
        one.health = null;
        assertThat(channels.check().up()).isFalse();
    }

    @Test
    void pullIsInstalledWithoutAPlugin() {
        Channels channels =
                channels(Map.of("delivery.default-channel", "one", "delivery.topics.orders.channel", "pull"));
        channels.openAll();
        assertThat(channels.route("orders").name()).isEqualTo("pull");
        assertThat(channels.retry("orders")).isEqualTo(RetryOptions.NONE);
        assertThat(channels.objection(message("body"))).isEmpty();
    }

    @Test
    void closesWhatIsOpenAndOpensNothingAfterwards() {
        Channels channels = channels(Map.of("delivery.default-channel", "one"));
        channels.route("x");
        channels.close();
        channels.close();
        assertThat(one.closed).isEqualTo(1);
        assertThatThrownBy(() -> channels.route("x")).isInstanceOf(IllegalStateException.class);
    }

    private Channels channels(Map<String, String> keys) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("mykit.delay." + key, value));
        return new Channels(
                ConfigLoader.load(full).delivery(),
                Map.of("one", installed(one), "two", installed(two)),
                new PullChannel(new SimpleMeterRegistry()));
    }

    private static InstalledChannel installed(DeliveryChannelFactory factory) {
        return new InstalledChannel(
                factory, ChannelSettings.of(factory.name(), factory.keys(), Map.of(), Duration.ofSeconds(3)));
    }

    private static DelayMessage message(String body) {
        return MessageBuilder.withId("1").body(body).build();
    }

    private static final class FakeFactory implements DeliveryChannelFactory {
        private final String name;
        private final List<DeliveryChannel> opened = new ArrayList<>();
        private ChannelSettings settings;
        private Health health = Health.up(Map.of());
        private int closed;
        private boolean takesTargets;
        private boolean broken;

        FakeFactory(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean takesTargets() {
            return takesTargets;
        }

        @Override
        public Optional<String> address(ChannelSettings given) {
            return Optional.of("broker of " + name);
        }

        @Override
        public DeliveryChannel open(ChannelSettings given) {
            settings = given;
            if (broken) {
                throw new IllegalArgumentException(given.section() + ".url is missing");
            }
            DeliveryChannel channel = new DeliveryChannel() {
                @Override
                public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Optional<String> objection(DelayMessage message) {
                    return message.body().equals("bad") || message.topic().equals("bad")
                            ? Optional.of(name + " does not like it")
                            : Optional.empty();
                }

                @Override
                public String nameAtBroker(String topic) {
                    return topic.replace('/', '.');
                }

                @Override
                public Optional<String> forbiddenTarget(DelayMessage message) {
                    return Optional.of(message.extras().target().get("url"))
                            .filter("closed"::equals)
                            .map(url -> name + " does not open " + url);
                }

                @Override
                public Optional<String> destination(DelayMessage message) {
                    if (message.body().equals("bad")) {
                        throw new IllegalStateException("out of order");
                    }
                    return Optional.of(message.body()).filter("own"::equals).map(own -> "receiver of the message");
                }

                @Override
                public Health health() {
                    if (health == null) {
                        throw new IllegalStateException("out of order");
                    }
                    return health;
                }

                @Override
                public void close() {
                    closed++;
                }
            };
            opened.add(channel);
            return channel;
        }
    }
}
