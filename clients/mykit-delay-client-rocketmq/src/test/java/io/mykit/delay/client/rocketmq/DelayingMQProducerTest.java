package io.mykit.delay.client.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.client.DelayClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.MessageQueueSelector;
import org.apache.rocketmq.client.producer.RequestCallback;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Without a broker: what would go to it fails, and so it shows. One producer serves all tests, because its start and end take seconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DelayingMQProducerTest {
    private static final MessageQueue QUEUE = new MessageQueue("t", "b", 0);
    private static final MessageQueueSelector SELECTOR = (queues, message, argument) -> queues.get(0);
    private static final String NAME_SERVER = "127.0.0.1:1";

    private final QueueStub queue = new QueueStub();
    private final DelayedSends sends = DelayedSends.builder(
                    DelayClient.builder().endpoint(queue.url()).build())
            .maxInFlight(2)
            .build();
    private final DelayingMQProducer producer = new DelayingMQProducer("group", sends);

    @BeforeAll
    void start() throws MQClientException {
        producer.setNamesrvAddr(NAME_SERVER);
        producer.setSendMsgTimeout(5000);
        producer.start();
    }

    @BeforeEach
    void takeAll() {
        queue.gate = new CountDownLatch(0);
        queue.take();
        queue.requests.clear();
    }

    @AfterAll
    void stop() {
        queue.close();
        producer.shutdown();
    }

    @Test
    void aDelayedMessageIsAPushWithAllThatItHas() throws Exception {
        long before = sends.counts().accepted();
        Message message = new Message("t", "tag", "a b", 7, "body".getBytes(UTF_8), false);
        message.putUserProperty("userId", "1");
        message.setDelayTimeSec(9);

        SendResult result = producer.send(message);

        assertThat(queue.requests).hasSize(1);
        assertThat(queue.requests.get(0))
                .contains(
                        "\"topic\":\"t\"",
                        "\"id\":\"" + result.getMsgId() + "\"",
                        "\"body\":\"body\"",
                        "\"delay\":9000")
                .contains("\"subtopic\":\"tag\"", "\"bizKey\":\"a\"", "\"KEYS\":\"a b\"", "\"userId\":\"1\"")
                .contains("\"target\":{\"flag\":\"7\"}")
                .doesNotContain("TIMER", "WAIT", "TAGS", "UNIQ_KEY");
        assertThat(result.getRecallHandle()).isEqualTo(result.getMsgId());
        assertThat(result.getMessageQueue().getBrokerName()).isEqualTo("mykit-delay");
        assertThat(sends.counts().accepted()).isEqualTo(before + 1);
    }

    @Test
    @SuppressWarnings("deprecation")
    void theNamespaceIsInTheTopic() throws Exception {
        DelayingMQProducer named = new DelayingMQProducer("named", sends);
        named.setNamesrvAddr(NAME_SERVER);
        named.setNamespace("shop");
        named.start();
        try {
            named.send(delayed());
            assertThat(queue.requests.get(0)).contains("\"topic\":\"shop/t\"");
            named.setNamespaceV2("other");
            assertThatThrownBy(() -> named.send(delayed())).hasMessageContaining("namespaceV2");
        } finally {
            named.shutdown();
        }
    }

    @Test
    void bytesThatAreNoTextAreBytes() throws Exception {
        Message message = delayed();
        message.setBody(new byte[] {(byte) 0xff});
        producer.send(message);
        assertThat(queue.requests.get(0)).contains("\"bodyBase64\":\"/w==\"");
    }

    @Test
    void anObjectThatFailedIsARepeatAndOneThatSucceededIsNot() throws Exception {
        Message message = delayed();
        queue.refuse(503, "UNAVAILABLE", "away");
        assertThatThrownBy(() -> producer.send(message, 50)).isInstanceOf(RemotingException.class);
        String id = message.getProperty("UNIQ_KEY");
        queue.take();
        assertThat(producer.send(message).getMsgId()).isEqualTo(id);
        assertThat(producer.send(message).getMsgId()).isNotEqualTo(id);
    }

    @Test
    void aRefusalIsAnMqClientException() {
        long before = sends.counts().refused();
        queue.refuse(400, "INVALID_REQUEST", "headers.x is reserved");
        assertThatThrownBy(() -> producer.send(delayed()))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("headers.x is reserved");
        assertThat(sends.counts().refused()).isEqualTo(before + 1);
    }

    @Test
    void aSendEndsWithItsTimeout() {
        long before = sends.counts().unanswered();
        queue.gate = new CountDownLatch(1);
        assertThatThrownBy(() -> producer.send(delayed(), 100)).isInstanceOf(RemotingTimeoutException.class);
        assertThat(failureOf(100)).isInstanceOf(RemotingTimeoutException.class);
        assertThat(sends.counts().unanswered()).isEqualTo(before + 2);
        queue.gate.countDown();
    }

    @Test
    void callbacksAreBounded() throws Exception {
        long before = sends.counts().accepted();
        queue.gate = new CountDownLatch(1);
        CompletableFuture<SendResult> first = new CompletableFuture<>();
        producer.send(delayed(), told(first));
        producer.sendOneway(delayed());
        assertThat(failureOf(5000)).isInstanceOf(RemotingTooMuchRequestException.class);
        assertThatThrownBy(() -> producer.sendOneway(delayed())).isInstanceOf(RemotingTooMuchRequestException.class);
        assertThat(sends.awaitIdle(Duration.ofMillis(1))).isFalse();

        queue.gate.countDown();

        assertThat(first.get(10, TimeUnit.SECONDS).getMsgId()).isNotEmpty();
        assertThat(sends.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(sends.counts().accepted()).isEqualTo(before + 2);
    }

    @Test
    void theSameObjectInFlightTwiceIsTwoMessages() throws Exception {
        queue.gate = new CountDownLatch(1);
        Message message = delayed();
        CompletableFuture<SendResult> first = new CompletableFuture<>();
        CompletableFuture<SendResult> second = new CompletableFuture<>();
        producer.send(message, told(first));
        producer.send(message, told(second));
        queue.gate.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS).getMsgId())
                .isNotEqualTo(second.get(10, TimeUnit.SECONDS).getMsgId());
    }

    @Test
    void aLostOnewayMessageIsCounted() throws Exception {
        long before = sends.counts().lostOneway();
        queue.refuse(400, "INVALID_REQUEST", "no");
        producer.sendOneway(delayed());
        assertThat(sends.awaitIdle(Duration.ofSeconds(10))).isTrue();
        assertThat(sends.counts().lostOneway()).isEqualTo(before + 1);
    }

    @Test
    void theRestGoesToTheBroker() {
        assertThatThrownBy(() -> producer.send(new Message("t", new byte[] {1})))
                .hasStackTraceContaining("connect to " + NAME_SERVER);
        assertThatThrownBy(() -> producer.send(List.of(new Message("t", new byte[] {1}))))
                .hasStackTraceContaining("connect to " + NAME_SERVER);
        assertThat(queue.requests).isEmpty();
    }

    @Test
    void aBatchIsDelayedAsAWholeOrNotAtAll() throws Exception {
        assertThatThrownBy(() -> producer.send(List.of(delayed(), new Message("t", new byte[] {1}))))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("a batch has 1 delayed messages among 2");
        assertThat(producer.send(new MessageBatch(List.of(delayed()))).getMsgId())
                .isNotEmpty();
    }

    @Test
    void aHandleTellsWhoseItIs() throws Exception {
        assertThat(DelayedSends.isOurs("djEgdCBiIDEgMg==")).isFalse();
        assertThat(DelayedSends.isOurs("7F0000010A2B18B4AAC23E8C1A2B0000")).isTrue();
        assertThat(producer.recallMessage("t", "7F00")).isEqualTo("7F00");
        queue.refuse(409, "ALREADY_DISPATCHED", "late");
        assertThatThrownBy(() -> producer.recallMessage("t", "7F00"))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("too late");
    }

    @Test
    void aProducerThatDoesNotRunRefuses() {
        DefaultMQProducer stopped = new DelayingMQProducer("stopped", sends);
        assertThatThrownBy(() -> stopped.send(delayed()))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("The producer service state not OK");
    }

    @ParameterizedTest
    @MethodSource
    void refused(String why, Call call) {
        assertThatThrownBy(() -> call.make(producer))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("mykit-delay cannot send a delayed message " + why);
        assertThat(queue.requests).isEmpty();
    }

    static Stream<Arguments> refused() {
        SendCallback ignored = told(new CompletableFuture<>());
        return Stream.of(
                refusal("to a chosen queue", p -> p.send(delayed(), QUEUE)),
                refusal("to a chosen queue", p -> p.send(delayed(), QUEUE, 1000)),
                refusal("to a chosen queue", p -> p.send(delayed(), QUEUE, ignored)),
                refusal("to a chosen queue", p -> p.send(delayed(), QUEUE, ignored, 1000)),
                refusal("to a chosen queue", p -> p.sendOneway(delayed(), QUEUE)),
                refusal("to a chosen queue", p -> p.send(delayed(), SELECTOR, "")),
                refusal("to a chosen queue", p -> p.send(delayed(), SELECTOR, "", 1000)),
                refusal("to a chosen queue", p -> p.send(delayed(), SELECTOR, "", ignored)),
                refusal("to a chosen queue", p -> p.send(delayed(), SELECTOR, "", ignored, 1000)),
                refusal("to a chosen queue", p -> p.sendOneway(delayed(), SELECTOR, "")),
                refusal("to a chosen queue", p -> p.send(List.of(delayed()), QUEUE)),
                refusal("to a chosen queue", p -> p.send(List.of(delayed()), QUEUE, 1000)),
                refusal("to a chosen queue", p -> p.send(List.of(delayed()), QUEUE, ignored)),
                refusal("to a chosen queue", p -> p.send(List.of(delayed()), QUEUE, ignored, 1000)),
                refusal("as a request", p -> p.request(delayed(), 1000)),
                refusal("as a request", p -> p.request(delayed(), (RequestCallback) null, 1000)),
                refusal("as a request", p -> p.request(delayed(), QUEUE, 1000)),
                refusal("as a request", p -> p.request(delayed(), QUEUE, null, 1000)),
                refusal("as a request", p -> p.request(delayed(), SELECTOR, "", 1000)),
                refusal("as a request", p -> p.request(delayed(), SELECTOR, "", null, 1000)),
                refusal("in a transaction", p -> p.sendMessageInTransaction(delayed(), null)));
    }

    private Throwable failureOf(long timeoutMs) {
        CompletableFuture<SendResult> future = new CompletableFuture<>();
        try {
            producer.send(delayed(), told(future), timeoutMs);
            return future.handle((result, failure) -> failure).get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static SendCallback told(CompletableFuture<SendResult> future) {
        return new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
                future.complete(result);
            }

            @Override
            public void onException(Throwable e) {
                future.completeExceptionally(e);
            }
        };
    }

    private static Message delayed() {
        Message message = new Message("t", "body".getBytes(UTF_8));
        message.setDelayTimeMs(60_000);
        return message;
    }

    private static Arguments refusal(String why, Call call) {
        return Arguments.of(why, call);
    }

    private interface Call {
        void make(DefaultMQProducer producer) throws Exception;
    }
}
