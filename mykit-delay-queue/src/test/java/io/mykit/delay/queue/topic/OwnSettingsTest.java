package io.mykit.delay.queue.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.operator.PolicyKey;
import io.mykit.delay.queue.retry.PolicySources;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.store.TopicSetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policies of operators, from the table to a message. */
class OwnSettingsTest {
    private final DeliveryConfig config = ConfigLoader.load(Map.of(
                    "mykit.delay.delivery.policy.\"shop/*\".max-attempts", "5",
                    "mykit.delay.delivery.policy.\"shop/*\".rate", "100",
                    "mykit.delay.delivery.policy.shop/orders.interval", "7s"))
            .delivery();
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final TopicPolicies policies = new TopicPolicies(config.policy());
    private final RetryPolicies retries = new RetryPolicies(config, policies, topic -> RetryOptions.NONE);
    private final TopicPolicies elsewhere = new TopicPolicies(config.policy());
    private final TopicPauses node = node(queue.index(), policies);
    private final TopicPauses other = node(queue.otherNode(), elsewhere);
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private TopicPauses node(MessageIndex index, TopicPolicies own) {
        return new TopicPauses(
                queue.store().topics(),
                index,
                queue.clock(),
                List.of(new PolicySettings(own)),
                new SimpleMeterRegistry());
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
    }

    @Test
    void aKeyOfAnOperatorComesFirstAndTheOthersStay() {
        node.set("shop/orders", Map.of("rate", Optional.of("2.5"), "maxAttempts", Optional.of("3")));
        assertThat(policies.limits("shop/orders")).isEqualTo(new TopicLimits(2.5, 0));
        assertThat(policies.limits("shop/carts")).isEqualTo(new TopicLimits(100, 0));
        assertThat(retries.of(message("shop/orders")).maxAttempts()).isEqualTo(3);
        assertThat(retries.of(message("shop/orders")).intervalMs()).isEqualTo(7000);
        assertThat(retries.of(message("shop/carts")).maxAttempts()).isEqualTo(5);
        assertThat(sources("shop/orders"))
                .contains(
                        new PolicyKey("maxAttempts", 3, "operator"),
                        new PolicyKey("interval", 7000L, "delivery.policy.shop/orders.interval"),
                        new PolicyKey("rate", 2.5, "operator"));

        node.set("shop/orders", Map.of("rate", Optional.empty()));
        assertThat(policies.limits("shop/orders")).isEqualTo(new TopicLimits(100, 0));
        assertThat(retries.of(message("shop/orders")).maxAttempts()).isEqualTo(3);
    }

    private Iterable<PolicyKey> sources(String topic) {
        return new PolicySources(config, retries, none -> RetryOptions.NONE).of(topic, "mine");
    }

    @Test
    void theOtherNodesLearnItByNoticeAndTellTheirListeners() {
        other.start();
        other.onChange(topic -> told.add(topic + " " + elsewhere.limits(topic).concurrency()));
        node.set("t", Map.of("concurrency", Optional.of("4")));
        await().atMost(Duration.ofSeconds(3)).until(() -> told.contains("t 4"));
        node.set("t", Map.of("concurrency", Optional.empty()));
        await().atMost(Duration.ofSeconds(3)).until(() -> told.contains("t 0"));
        assertThat(told).hasSize(2);
    }

    @Test
    void aNodeThatStartsKnowsThem() {
        node.set("t", Map.of("gaps", Optional.of("1s,2s")));
        other.start();
        assertThat(elsewhere.retries("t").get(0).gapsMs()).containsExactly(1000L, 2000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate         | 0.001   | rate = 0.001: must be from 0.01",
                "rate         | fast    | rate = fast: must be a number",
                "concurrency  | 100001  | concurrency = 100001: must be from 1 to 100000",
                "maxAttempts  | -1      | maxAttempts = -1: must be from 0 to",
                "gaps         | 5s,soon | gaps = 5s,soon: separated by commas",
                "interval     | 5       | interval = 5: must be a duration",
                "ttl          | 1500ms  | ttl = 1500ms: must be whole seconds",
                "channel      | console | channel cannot be set for a topic",
            })
    void namesTheKeyThatCannotBeUsedAndChangesNothing(String key, String value, String message) {
        node.set("t", Map.of("rate", Optional.of("1")));
        assertThatThrownBy(() -> node.set("t", Map.of(key, Optional.of(value))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(queue.store().topics().settings()).containsExactly(new TopicSetting("t", "rate", "1"));
        assertThat(policies.limits("t")).isEqualTo(new TopicLimits(1, 0));
    }

    @Test
    void keysThatExcludeEachOtherAreRefusedAlsoOneAfterTheOther() {
        node.set("t", Map.of("interval", Optional.of("1s")));
        assertThatThrownBy(() -> node.set("t", Map.of("gaps", Optional.of("1s"))))
                .hasMessageContaining("gaps = 1s: excludes interval, multiplier and max-interval");
        node.set("t", Map.of("gaps", Optional.of("1s"), "interval", Optional.empty()));
    }

    /** Such as one that a later version wrote. */
    @Test
    void aValueThatCannotBeReadHidesNoOtherAndCanBeGivenBack() {
        queue.store().topics().set("broken", Map.of("rate", Optional.of("fast"), "concurrency", Optional.of("3")));
        queue.store().topics().set("t", Map.of("rate", Optional.of("9"), "speed", Optional.of("9")));
        node.start();
        assertThat(policies.limits("t")).isEqualTo(new TopicLimits(9, 0));
        assertThat(policies.limits("broken")).isEqualTo(new TopicLimits(0, 3));

        node.set("t", Map.of("concurrency", Optional.of("2")));
        assertThat(policies.limits("t")).isEqualTo(new TopicLimits(9, 2));
        node.set("broken", Map.of("rate", Optional.empty()));
        assertThat(policies.limits("broken")).isEqualTo(new TopicLimits(0, 3));
    }

    /** Two nodes may change a topic in the same moment. */
    @Test
    void valuesThatExcludeEachOtherHideNoOtherAndCanBeGivenBack() {
        Map<String, String> values = Map.of(
                "rate", "9", "interval", "7s", "gaps", "1s,2s", "maxAttempts", "4", "maxInterval", "8s", "jitter", "x");
        values.forEach((name, value) -> queue.store().topics().set("t", Map.of(name, Optional.of(value))));
        List<String> leftOut = new ArrayList<>();
        assertThat(PolicySettings.usable(values, leftOut)).containsOnlyKeys("rate", "gaps", "maxAttempts");
        assertThat(leftOut)
                .containsExactly(
                        "interval (gaps = 1s,2s: excludes interval, multiplier and max-interval)",
                        "jitter (jitter = x: must be a number such as 2 or 0.5)",
                        "maxInterval (gaps = 1s,2s: excludes interval, multiplier and max-interval)");
        node.start();
        assertThat(policies.limits("t")).isEqualTo(new TopicLimits(9, 0));
        assertThat(retries.of(message("t")).maxAttempts()).isEqualTo(4);
        assertThat(policies.retries("t").get(0)).satisfies(retry -> {
            assertThat(retry.gapsMs()).containsExactly(1000L, 2000L);
            assertThat(retry.intervalMs()).isNull();
        });

        node.set("t", Map.of("concurrency", Optional.of("2")));
        assertThat(policies.limits("t")).isEqualTo(new TopicLimits(9, 2));
        assertThatThrownBy(() -> node.set("t", Map.of("interval", Optional.of("9s"))))
                .hasMessageContaining("gaps = 1s,2s: excludes interval");
        node.set("t", Map.of("gaps", Optional.empty()));
        assertThat(retries.of(message("t")).intervalMs()).isEqualTo(7000);
    }

    /** Two nodes may change a topic before the notice of one comes to the other. */
    @Test
    void aChangeIsCheckedAgainstWhatAnotherNodeHasJustSet() {
        node.start();
        other.set("t", Map.of("interval", Optional.of("1s")));
        assertThatThrownBy(() -> node.set("t", Map.of("gaps", Optional.of("1s"))))
                .hasMessageContaining("gaps = 1s: excludes interval");
    }

    @Test
    void aTopicGetsAChannelAndMetricsUntilTheyAreGivenBack() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DelayConfig full = ConfigLoader.load(
                Map.of("mykit.delay.delivery.default-channel", "pull", "mykit.delay.metrics.max-topics", "2"));
        TopicMeters topics = TopicMeters.of(full, meters, queue.clock(), () -> true);
        Channels channels = Channels.open(
                full.delivery(),
                Map.of(
                        "mine",
                        Channels.installed("mine", DeliveryChannel.of(message -> Delivery.DELIVERED), full.delivery())),
                meters);
        TopicPauses all = new TopicPauses(
                queue.store().topics(),
                queue.otherNode(),
                queue.clock(),
                SettingKinds.all(policies, channels, Namespaces.NONE, topics),
                meters);
        try {
            all.set("t", Map.of("channel", Optional.of("mine"), "metrics", Optional.of("true")));
            assertThat(channels.channelOf("t")).isEqualTo("mine");
            assertThat(channels.pulled().contains("t")).isFalse();
            assertThat(topics.isWanted("t")).isTrue();

            assertRefused(all, "channel", "yours", "channel = yours: the delivery channel yours is not installed here");
            assertRefused(all, "metrics", "yes", "metrics = yes: must be true");
            all.set("u", Map.of("metrics", Optional.of("true")));
            assertRefused(all, "metrics", "true", "metrics: operators have given metrics to 2 topics");
            all.set("t", Map.of("metrics", Optional.of("true"), "rate", Optional.of("2")));
            assertThat(policies.limits("t")).isEqualTo(new TopicLimits(2, 0));

            all.set("t", Map.of("channel", Optional.empty(), "metrics", Optional.empty()));
            assertThat(channels.channelOf("t")).isEqualTo("pull");
            assertThat(topics.isWanted("t")).isFalse();
            assertThat(queue.store().topics().settings())
                    .containsExactly(new TopicSetting("t", "rate", "2"), new TopicSetting("u", "metrics", "true"));
        } finally {
            all.close();
            channels.close();
        }
    }

    private void assertRefused(TopicPauses all, String name, String value, String message) {
        List<TopicSetting> before = queue.store().topics().settings();
        assertThatThrownBy(() -> all.set("v", Map.of(name, Optional.of(value))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(queue.store().topics().settings()).isEqualTo(before);
    }

    @Test
    void theNumberOfTopicsIsBounded() {
        for (int i = 0; i < OwnSettings.MAX_TOPICS; i++) {
            queue.store().topics().set("t" + i, Map.of("rate", Optional.of("9")));
        }
        node.start();
        node.set("t7", Map.of("rate", Optional.of("8")));
        assertThatThrownBy(() -> node.set("one-more", Map.of("rate", Optional.of("8"))))
                .hasMessageContaining("500 topics have settings of their own already");
        node.set("t7", Map.of("rate", Optional.empty()));
        node.set("one-more", Map.of("rate", Optional.of("8")));
    }

    @Test
    void aKindThatFailsHidesAChangeFromNoOther() {
        List<String> used = new ArrayList<>();
        SettingKind first = kind("a", () -> {
            if (used.isEmpty()) {
                used.add("failed");
                throw new IllegalStateException("not now");
            }
            used.add("a");
        });
        OwnSettings settings = new OwnSettings(List.of(first, kind("b", () -> used.add("b"))));
        List<TopicSetting> rows = List.of(new TopicSetting("t", "a", "1"), new TopicSetting("t", "b", "2"));
        assertThatThrownBy(() -> settings.take(rows)).hasMessage("not now");
        assertThat(settings.take(rows)).as("the next read").containsExactly("t");
        assertThat(used).containsExactly("failed", "a", "b");
        assertThat(settings.take(rows)).isEmpty();
    }

    private static SettingKind kind(String name, Runnable use) {
        return new SettingKind() {
            @Override
            public boolean has(String setting) {
                return setting.equals(name);
            }

            @Override
            public void check(String topic, Map<String, String> before, Map<String, Optional<String>> changes) {}

            @Override
            public void use(Map<String, Map<String, String>> byTopic, Set<String> changed) {
                use.run();
            }
        };
    }

    private static DelayMessage message(String topic) {
        return new DelayMessage("1", topic, "", "", "", 0, 0, 0, 0, 0);
    }
}
