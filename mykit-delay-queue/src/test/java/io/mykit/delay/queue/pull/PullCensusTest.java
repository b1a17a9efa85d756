package io.mykit.delay.queue.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PullCensusTest {
    private static final Pulled PULLED = Pulled.of(PulledTopics.of(Map.of(PullFixture.TOPIC, true), false));

    private final PullFixture node = new PullFixture();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PullCensus census = new PullCensus(node.queue.index().holds(), PULLED, node.queue.clock(), 2, meters);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void countsWhatConsumersHoldAndHowLongTheOldestMessageWaits() throws Exception {
        node.ready("a");
        node.ready("b");
        node.take();
        node.queue.pass(Duration.ofSeconds(7));
        census.runOnce();
        assertThat(meters.get("mykit.delay.pull.held").gauge().value()).isEqualTo(1);
        assertThat(meters.get("mykit.delay.pull.oldest.ready").gauge().value()).isEqualTo(7);
    }

    @Test
    void asksForThePulledTopicsOnlyHoweverManyOthersThereAre() throws Exception {
        List<List<?>> asked = new ArrayList<>();
        HoldIndex index = (HoldIndex) Proxy.newProxyInstance(
                HoldIndex.class.getClassLoader(), new Class<?>[] {HoldIndex.class}, (proxy, method, arguments) -> {
                    asked.add(List.of(method.getName(), arguments[0]));
                    return method.invoke(node.queue.index().holds(), arguments);
                });
        PulledTopics pulled =
                PulledTopics.of(Map.of("jobs", true, "shop/*", true, "shop/*/b*", true, "x", false), false);
        new PullCensus(index, Pulled.of(pulled), node.queue.clock(), 2, new SimpleMeterRegistry()).runOnce();
        assertThat(asked).containsExactly(List.of("names", List.of("shop/")), List.of("topics", List.of("jobs")));
    }

    @Test
    void warnsOfATopicWithTooManyReadyMessages() throws Exception {
        node.ready("a");
        census.runOnce();
        assertThat(census.check().up()).isTrue();
        node.ready("b");
        census.runOnce();
        assertThat(census.check().up()).isFalse();
        assertThat(census.check().details()).containsEntry("ready", Map.of(PullFixture.TOPIC, 2L));
        node.take(1);
        census.runOnce();
        assertThat(census.check().up()).isTrue();
    }
}
