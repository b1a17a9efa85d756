package io.mykit.delay.lmstfy.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.Namespaces;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuesTest {
    private final Queues queues = new Queues("lm/", Namespaces.NONE);

    @Test
    void aQueueIsATopic() {
        Queue queue = queues.of("shop", "orders");
        assertThat(queue.topic()).isEqualTo("lm/shop/orders");
        assertThat(queue.stored("1")).isEqualTo("1");
    }

    /** The engine wants id and topic in one namespace. */
    @Test
    void idsHaveTheNamespaceOfTheirTopic() {
        Queue queue = new Queues("", new Namespaces("shop"::equals)).of("shop", "orders");
        assertThat(queue.topic()).isEqualTo("shop/orders");
        assertThat(queue.stored("1")).isEqualTo("shop/1");
        assertThat(queue.jobId("shop/1")).isEqualTo("1");
        assertThat(queue.jobId("1")).isEqualTo("1");
    }

    @Test
    void refusesNames() {
        assertThatThrownBy(() -> queues.of("a".repeat(65), "q")).hasMessage("namespace or queue name too long");
        assertThatThrownBy(() -> queues.of("a", "q".repeat(124))).hasMessage("namespace or queue name too long");
        assertThat(queues.of("a", "q".repeat(123)).topic()).hasSize(128);
        for (String bad : List.of("", ".", "a b", "a/b", "\u4e2d", "a\0")) {
            assertThatThrownBy(() -> queues.of(bad, "q")).hasMessage("namespace name contains forbidden characters");
            assertThatThrownBy(() -> queues.of("n", bad)).hasMessage("queue name contains forbidden characters");
        }
        assertThatThrownBy(() -> queues.of("n", "_q")).hasMessage("queue name contains forbidden characters");
        assertThat(queues.of("_n", "q_").name()).isEqualTo("q_");
    }

    @Test
    void severalQueuesKeepTheirOrder() {
        queues.check("n", "_b,a,_b");
        assertThat(queues.several("n", "_b,a,_b")).extracting(Queue::name).containsExactly("_b", "a");
        assertThatThrownBy(() -> queues.check("n", "a;b")).hasMessage("queue name contains forbidden characters");
        queues.check("n", ",,");
        assertThatThrownBy(() -> queues.several("n", "a,,b")).hasMessage("invalid queue name(s)");
    }

    @Test
    void routesAreFoundByMethodAndPath() {
        assertThat(QueueRoute.find("GET", List.of("api", "n", "q"))).contains(QueueRoute.CONSUME);
        assertThat(QueueRoute.find("PUT", List.of("api", "n", "q", "job", "1"))).contains(QueueRoute.REPUBLISH);
        assertThat(QueueRoute.find("GET", List.of("api", "n", "q", "deadletter", "size")))
                .contains(QueueRoute.DEAD_SIZE);
        assertThat(QueueRoute.find("GET", List.of("api", "n", "q", "job", "*"))).contains(QueueRoute.JOB);
        assertThat(QueueRoute.find("GET", List.of("api", "n", "q", "job"))).isEmpty();
        assertThat(QueueRoute.find("POST", List.of("api", "n", "q"))).isEmpty();
        assertThat(QueueRoute.find("GET", List.of("api", "", "q"))).isEmpty();
        assertThat(QueueRoute.find("GET", List.of("x", "n", "q"))).isEmpty();
    }
}
