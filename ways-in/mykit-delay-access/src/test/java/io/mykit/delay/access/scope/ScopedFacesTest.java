package io.mykit.delay.access.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two namespaces, one of which has a name that begins as the other, on one real engine whose topics are pulled. */
class ScopedFacesTest {
    private final DelayConfig config = ConfigLoader.load(Map.of("mykit.delay.delivery.default-channel", "pull"));
    private final ClusterClock clock = new ClusterClock();
    private final DelayQueue queue = DelayQueue.builder(
                    config, new MemoryMessageStore(clock), new MemoryMessageIndex(new MemoryBuckets(4), clock), clock)
            .namespaces(Set.of("shop", "sh")::contains)
            .build();
    private final Producers all = queue.producers();
    private final Producers shop = new ScopedProducers(all, new Names("shop"), NamespaceBounds.NONE);
    private final Producers sh = new ScopedProducers(all, new Names("sh"), NamespaceBounds.NONE);

    @BeforeEach
    void start() {
        queue.start();
    }

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void aPushIsInTheNamespaceAndItsAnswersHaveTheNamesOfTheCaller() {
        String made = push(shop, "orders", "", 600_000);
        assertThat(made).doesNotContain("/");
        assertThat(push(shop, "orders", "20", 600_000)).isEqualTo("20");
        assertThat(shop.find("20").orElseThrow()).satisfies(found -> {
            assertThat(found.message().id()).isEqualTo("20");
            assertThat(found.message().topic()).isEqualTo("orders");
            assertThat(found.flow()).isNotEmpty().allMatch(row -> row.messageId()
                    .equals("20"));
        });
        assertThat(shop.find(made)).isPresent();
        assertThat(all.find("shop/20").orElseThrow().message().topic()).isEqualTo("shop/orders");
        assertThat(all.find("shop/" + made)).isPresent();
        assertThat(all.find("20")).isEmpty();
        assertThatThrownBy(() -> push(shop, "others", "20", 1))
                .satisfies(e -> assertThat(known(e).code()).isEqualTo(ErrorCode.ID_CONFLICT))
                .satisfies(e -> assertThat(known(e).getMessage()).contains("20").doesNotContain("shop/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20",
                "shop/20",
                "/shop/20",
                "../shop/20",
                "shop%2F20",
                "op/20",
                "SHOP/20",
                "//shop/20",
                "..",
                "default"
            })
    void noSpellingOfAnIdLeadsToAnotherNamespace(String id) {
        push(shop, "orders", "20", 600_000);
        push(all, "plain", "default", 600_000);
        assertThat(sh.find(id)).isEmpty();
        assertThat(sh.cancel(id, "sh")).isEqualTo(CancelResult.UNKNOWN);
        assertThat(sh.reschedule(id, 0)).isEmpty();
        assertThat(new ScopedConsumers(queue.consumers(), new Names("sh"))
                        .settle(Verb.ACK, List.of(new Settlement(id, null, null, null, "")))
                        .join())
                .singleElement()
                .satisfies(settled ->
                        assertThat(settled.refusal().orElseThrow().code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(all.find("shop/20").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(all.find("default").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(all.find("shop/20").orElseThrow().flow()).hasSize(1);
    }

    @Test
    void theSameNamesInTwoNamespacesAreTwoMessages() {
        push(shop, "orders", "20", 600_000);
        push(sh, "orders", "20", 600_000);
        assertThat(sh.cancel("20", "sh")).isEqualTo(CancelResult.CANCELLED);
        assertThat(shop.find("20").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(shop.cancel("20", "shop")).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void consumersPullAndSettleTheirOwnMessagesAlone() throws Exception {
        Consumers ofShop = new ScopedConsumers(queue.consumers(), new Names("shop"));
        Consumers ofSh = new ScopedConsumers(queue.consumers(), new Names("sh"));
        push(shop, "orders", "20", 0);
        assertThat(pull(ofSh, "orders", Duration.ZERO).messages()).isEmpty();
        assertThat(pull(ofSh, "shop/orders", Duration.ZERO).messages()).isEmpty();
        PulledMessage pulled =
                pull(ofShop, "orders", Duration.ofSeconds(20)).messages().get(0);
        assertThat(pulled.message().id()).isEqualTo("20");
        assertThat(pulled.message().topic()).isEqualTo("orders");
        Settlement ack = new Settlement("20", pulled.receipt(), null, null, "");
        assertThat(settle(ofSh, ack).refusal()).isPresent();
        assertThat(settle(ofShop, ack).refusal()).isEmpty();
        assertThat(settle(ofShop, ack).id()).isEqualTo("20");
        assertThat(shop.find("20").orElseThrow().status()).isEqualTo(MessageStatus.FINISH);
    }

    @Test
    void aMessageByFullNamesIsInANamespaceWithTopicAndIdOrWithNeither() {
        assertThat(push(all, "shop/orders", "", 600_000)).startsWith("shop/");
        assertThat(push(all, "orders", "", 600_000)).doesNotContain("/");
        assertThat(push(all, "shop/orders", "shop/7", 600_000)).isEqualTo("shop/7");
        assertThat(push(all, "free/orders", "7", 600_000)).as("no namespace").isEqualTo("7");
        assertThatThrownBy(() -> push(all, "shop/orders", "8", 1))
                .hasMessage("the topic is in a namespace and the id is not: the id must begin with shop/");
        assertThatThrownBy(() -> push(all, "shop/orders", "sh/8", 1))
                .hasMessage("the topic is in a namespace and the id is not: the id must begin with shop/");
        assertThatThrownBy(() -> push(all, "orders", "shop/8", 1))
                .hasMessage("the id is in a namespace and the topic is not: the topic must begin with shop/");
        assertThat(shop.find("7")).isPresent();
    }

    private static DelayException known(Throwable failure) {
        return (DelayException) (failure instanceof DelayException ? failure : failure.getCause());
    }

    private static String push(Producers producers, String topic, String id, long delayMs) {
        NewPush push = new NewPush().topic(topic).body("body of " + id).delay(delayMs);
        CheckedPush checked = producers.rules().check(id.isEmpty() ? push : push.id(id), UnaryOperator.identity());
        assertThat(producers.push(checked, Via.PROGRAM).join()).isEqualTo(PushResult.ACCEPTED);
        return checked.message().id();
    }

    private static PullAnswer pull(Consumers consumers, String topic, Duration wait) {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        consumers.pull(new PullOrder(List.of(topic), 1, wait, null, false), answer::complete);
        return answer.join();
    }

    private static Settled settle(Consumers consumers, Settlement item) {
        return consumers.settle(Verb.ACK, List.of(item)).join().get(0);
    }
}
