package io.mykit.delay.queue.overview;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeRulesTest {
    private static final Map<String, String> TOPICS = Map.of("newt", "pull");

    @Test
    void equalSettingsHaveEqualDigests() {
        NodeRules one = NodeRules.of(Map.of("delivery.retry-min", "1s", "delivery.max-attempts", "3"))
                .naming(TOPICS);
        NodeRules same = NodeRules.of(new TreeMap<>(Map.of("delivery.max-attempts", "3", "delivery.retry-min", "1s")))
                .naming(TOPICS);
        assertThat(same).isEqualTo(one);
        assertThat(one.digest()).matches("[0-9a-f]{16}");
        assertThat(one.differences(same)).isEmpty();
    }

    @Test
    void differingKeysAreNamed() {
        NodeRules one = NodeRules.of(
                        Map.of("delivery.policy.a.max-attempts", "3", "delivery.topics.newt.channel", "pull"))
                .naming(TOPICS);
        NodeRules other =
                NodeRules.of(Map.of("delivery.policy.a.max-attempts", "4", "webhook.topics.b.url", "http://b"));
        assertThat(other.digest()).isNotEqualTo(one.digest());
        assertThat(one.differences(other))
                .containsExactly("delivery.policy.a.max-attempts", "delivery.topics.newt", "webhook.topics.b.url");
    }

    @Test
    void aNoteTellsThemToOtherNodes() {
        NodeRules rules = NodeRules.of(Map.of("delivery.retry-min", "1s")).naming(TOPICS);
        JSONObject read = JSON.parseObject(JSON.toJSONString(rules.fields()));
        assertThat(NodeRules.read(read)).contains(rules);
        assertThat(NodeRules.read(null)).as("an older node").isEmpty();
        assertThat(NodeRules.read(new JSONObject())).as("another form").isEmpty();
    }

    @Test
    void thousandsOfTopicsAndPoliciesAreADigestOnly() {
        Map<String, String> topics = new TreeMap<>();
        Map<String, String> values = new TreeMap<>();
        IntStream.range(0, 5_000).forEach(i -> {
            topics.put("shop/orders-" + i, "rocketmq");
            values.put("delivery.topics.shop/orders-" + i + ".channel", "rocketmq");
            values.put("delivery.policy.shop/orders-" + i + ".max-attempts", "3");
        });
        NodeRules rules = NodeRules.of(values).naming(topics);
        assertThat(JSON.toJSONString(rules.fields())).hasSizeLessThan(100);
        topics.put("shop/orders-1", "pull");
        values.put("delivery.topics.shop/orders-1.channel", "pull");
        NodeRules other = NodeRules.of(values).naming(topics);
        assertThat(other.digest()).isNotEqualTo(rules.digest());
        assertThat(rules.differences(other)).as("not known").isEmpty();
    }

    @Test
    void aNoteStaysWithinSomeKilobytes() {
        Map<String, String> topics = new TreeMap<>();
        IntStream.range(0, 100).forEach(i -> topics.put("shop/orders-" + i, "rocketmq"));
        NodeRules rules = NodeRules.of(Map.of()).naming(topics);
        assertThat(rules.topics()).isPresent();
        assertThat(JSON.toJSONString(rules.fields())).hasSizeLessThan(NodeRules.MAX_TOPICS + NodeRules.MAX_KEYS + 100);
    }
}
