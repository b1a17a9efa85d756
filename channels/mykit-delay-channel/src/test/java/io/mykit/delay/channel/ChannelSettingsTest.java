package io.mykit.delay.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.common.value.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelSettingsTest {
    private static final ChannelKey<Integer> TRIES =
            ChannelKey.number("tries", "").withDefault("3");
    private static final ChannelKey<Boolean> LOUD = ChannelKey.truth("loud", "");
    private static final ChannelKey<Duration> WAIT = ChannelKey.duration("wait", "");
    private static final ChannelKey<Path> FILE = ChannelKey.path("file", "");
    private static final ChannelKey<Secret> PASS = ChannelKey.secret("pass", "").perTopic();
    private static final ChannelKey<Integer> LIMIT =
            ChannelKey.number("limit", "").perTopic().withDefault("5");
    private static final ChannelKey<Delivery.Kind> KIND = ChannelKey.word(Delivery.Kind.class, "kind", "");

    @Test
    void valuesHaveTheTypesOfTheirKeys() {
        ChannelSettings settings =
                settings(Map.of("loud", "true", "wait", "1m30s", "file", "a/b", "pass", "hidden", "kind", "unclear"));

        assertThat(settings.get(TRIES)).isEqualTo(3);
        assertThat(settings.get(LOUD)).isTrue();
        assertThat(settings.get(WAIT)).hasSeconds(90);
        assertThat(settings.get(FILE)).isEqualTo(Path.of("a/b"));
        assertThat(settings.get(PASS).reveal()).isEqualTo("hidden");
        assertThat(settings.get(KIND)).isEqualTo(Delivery.Kind.UNCLEAR);
        assertThat(settings).asString().contains("pass").doesNotContain("hidden");
    }

    @Test
    void emptyAndMissingAreTheSame() {
        assertThat(settings(Map.of("file", "", "tries", "")).find(FILE)).isEmpty();
        assertThat(settings(Map.of("tries", "")).get(TRIES)).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of()).get(FILE))
                .withMessage("mykit.delay.test.file is missing");
    }

    @Test
    void unknownKeysAndBadValuesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("trys", "1")))
                .withMessageContaining("mykit.delay.test has no such keys: trys");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("tries", "many")))
                .withMessageContaining("mykit.delay.test.tries must be a whole number");
    }

    @Test
    void aTopicMayHaveValuesOfItsOwn() {
        ChannelSettings settings = settings(Map.of(
                "pass", "of all",
                "topics.orders.pass", "of orders",
                "topics.\"shop/*\".pass", "of shops",
                "topics.\"shop/a.pass\".pass", "of one shop",
                "topics.\"shop/a.pass\".limit", "7",
                "topics.empty.pass", ""));

        TopicValues<String> passes = settings.byTopic(PASS).map(Secret::reveal);
        assertThat(passes.find("orders")).contains("of orders");
        assertThat(passes.find("shop/b")).contains("of shops");
        assertThat(passes.find("shop/a.pass")).contains("of one shop");
        assertThat(passes.find("empty")).contains("of all");
        assertThat(passes.own().keySet()).containsExactly("orders", "shop/*", "shop/a.pass");
        assertThat(settings.byTopic(LIMIT).find("shop/a.pass")).contains(7);
        assertThat(settings.byTopic(LIMIT).find("orders")).as("the default").contains(5);
        assertThat(settings.name(PASS, "shop/*")).isEqualTo("mykit.delay.test.topics.\"shop/*\".pass");
        assertThat(settings + " " + passes + settings.byTopic(PASS))
                .contains("orders")
                .doesNotContain("of ");
    }

    @Test
    void aKeyThatIsNoneOfATopicIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("topics.orders.tries", "1", "topics..pass", "x", "topics.pass", "x")))
                .withMessage("mykit.delay.test has no such keys: topics..pass, topics.orders.tries, topics.pass");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("topics.orders.limit", "many")))
                .withMessageContaining("mykit.delay.test.topics.\"orders\".limit must be a whole number");
    }

    @Test
    void aKeyIsCheckedWhereItIsDeclared() {
        assertThatIllegalArgumentException().isThrownBy(() -> ChannelKey.text("brokerUrl", ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChannelKey.number("n", "").withDefault("x"));
    }

    private static ChannelSettings settings(Map<String, String> given) {
        DeliveryChannelFactory factory = new TestFactory();
        return ChannelSettings.of(factory.name(), factory.keys(), given, Duration.ofSeconds(1));
    }

    private static final class TestFactory implements DeliveryChannelFactory {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public List<ChannelKey<?>> keys() {
            return List.of(TRIES, LOUD, WAIT, FILE, PASS, LIMIT, KIND);
        }

        @Override
        public DeliveryChannel open(ChannelSettings settings) {
            throw new UnsupportedOperationException();
        }
    }
}
