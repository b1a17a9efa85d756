package io.mykit.delay.queue.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.state.TopicDifferences;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DifferingTopicsTest {
    private final DifferingTopics node =
            node(Map.of("named", "webhook", "pulled", "pull", "shop/*", "rocketmq", "*", "activemq"));
    private final AtomicInteger changes = new AtomicInteger();

    private static DifferingTopics node(Map<String, String> byName) {
        return new DifferingTopics(byName, "console", true);
    }

    @Test
    void nothingDiffersWhileNoNodeSaysSo() {
        assertThat(node.contains("any")).isFalse();
        assertThat(node.most()).isZero();
        node.see(Map.of("b", Map.of("named", "webhook", "new", "activemq", "shop/*", "rocketmq")));
        assertThat(node.names()).isEmpty();
        assertThat(node.contains("new")).isFalse();
    }

    @Test
    void aNewTopicDiffersFromTheDefaultChannel() {
        node.see(Map.of("b", Map.of("new", "pull"), "c", Map.of("new", "pull")));
        assertThat(node.find("new")).contains(new TopicDifferences.Difference("new", "b", "pull", "activemq"));
        assertThat(node.topics()).containsExactly("new");
        assertThat(node.most()).isEqualTo(1);
        assertThat(node.contains("other")).isFalse();
    }

    @Test
    void aTopicWaitsWhileAnotherNodeHasNotReadItsNewChannel() {
        node.onChange(changes::incrementAndGet);
        node.see(Map.of("b", Map.of("named", "webhook")));
        assertThat(node.contains("named")).isFalse();
        node.use(Map.of("named", "rocketmq", "other", "webhook"));
        assertThat(node.find("named").orElseThrow().reason())
                .isEqualTo("node b delivers it by webhook, this node by rocketmq");
        assertThat(node.contains("other")).as("node b has no say").isFalse();
        assertThat(changes).hasValue(1);
        node.see(Map.of("b", Map.of("named", "rocketmq", "other", "webhook")));
        assertThat(node.contains("named")).isFalse();
        assertThat(changes).hasValue(2);
        node.use(Map.of("named", "pull", "other", "webhook"));
        assertThat(node.contains("named")).as("consumers of this node have it").isFalse();
    }

    @Test
    void aTopicThatOnlyThisNodeNamesIsDelivered() {
        node.see(Map.of("b", Map.of()));
        assertThat(node.contains("named")).isFalse();
    }

    @Test
    void aTopicThatBothNodesNameDiffers() {
        node.see(Map.of("b", Map.of("named", "rocketmq")));
        assertThat(node.find("named").orElseThrow().reason())
                .isEqualTo("node b delivers it by rocketmq, this node by webhook");
    }

    @Test
    void aPulledTopicNeverWaits() {
        node.see(Map.of("b", Map.of("pulled", "rocketmq", "pull*", "rocketmq")));
        assertThat(node.contains("pulled")).isFalse();
        assertThat(node.contains("pull-other")).isTrue();
    }

    @Test
    void aNameBeatsABeginningOnBothSides() {
        node.see(Map.of("b", Map.of("shop/*", "rocketmq", "shop/new/*", "pull", "shop/old", "pull")));
        assertThat(node.contains("shop/any")).isFalse();
        assertThat(node.contains("shop/new/1")).isTrue();
        assertThat(node.contains("shop/old")).isTrue();
        assertThat(node.topics()).containsExactly("shop/old");
        assertThat(node.most()).as("the topics of a beginning are not known").isEqualTo(Integer.MAX_VALUE);
        node.see(Map.of("b", Map.of("na*", "activemq")));
        assertThat(node.contains("named")).as("an exception of this node").isTrue();
        assertThat(node.contains("nab")).isFalse();
        assertThat(node.topics()).containsExactly("named");
    }

    @Test
    void aChangeIsToldOnce() {
        node.onChange(changes::incrementAndGet);
        node.see(Map.of("b", Map.of("new", "pull")));
        node.see(Map.of("b", Map.of("new", "pull")));
        node.see(Map.of("b", Map.of("new", "pull"), "c", Map.of()));
        assertThat(changes).hasValue(1);
        node.see(Map.of());
        assertThat(changes).hasValue(2);
        assertThat(node.contains("new")).isFalse();
    }

    @Test
    void aLeaderMayDeliverAllTheSame() {
        DifferingTopics other = new DifferingTopics(Map.of(), "console", false);
        other.see(Map.of("b", Map.of("new", "pull")));
        assertThat(other.contains("new")).isFalse();
        assertThat(other.names()).isEmpty();
    }
}
