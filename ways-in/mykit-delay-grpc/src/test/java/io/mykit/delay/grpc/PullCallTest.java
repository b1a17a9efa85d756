package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.StubEngine.NOW;
import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.PullReply;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.SettleReply;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.SettleVerb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PullCallTest {
    private final TestApi server = TestApi.start();

    @AfterEach
    void close() {
        server.close();
    }

    private static PullRequest.Builder pull() {
        return PullRequest.newBuilder().addTopics("orders");
    }

    private static PulledMessage pulled(String body) {
        DelayMessage message = MessageBuilder.withId("20")
                .topic("orders")
                .subtopic("s")
                .bizKey("k")
                .body(body)
                .created(NOW)
                .due(NOW + 5)
                .priority(3)
                .build();
        return new PulledMessage(message, 2, 3, 16, "7R2KX0", NOW + 60_000);
    }

    @Test
    void aConsumerGetsWhatIsReady() {
        server.engine.ready = List.of(pulled("{}"));
        PullReply reply = server.client()
                .pull(pull().addTopics("more")
                        .setCount(5)
                        .setWait(1000)
                        .setTtr(2000)
                        .setConsumer("worker-1")
                        .build());
        assertThat(server.engine.orders)
                .containsExactly(new PullOrder(
                        List.of("orders", "more"), 5, Duration.ofSeconds(1), Duration.ofSeconds(2), false, "worker-1"));
        var message = reply.getMessages(0);
        assertThat(List.of(message.getId(), message.getTopic(), message.getSubtopic(), message.getBizKey()))
                .containsExactly("20", "orders", "s", "k");
        assertThat(message.getText()).isEqualTo("{}");
        assertThat(List.of(message.getCreateTime(), message.getDueTime(), message.getLeaseUntil()))
                .containsExactly(NOW, NOW + 5, NOW + 60_000);
        assertThat(List.of(
                        message.getPriority(), message.getAttempt(), message.getDeliveries(), message.getMaxAttempts()))
                .containsExactly(3, 2, 3, 16);
        assertThat(message.getReceipt()).isEqualTo("7R2KX0");
    }

    @Test
    void aPullNeedsATopicAlone() {
        assertThat(server.client().pull(pull().build()).getMessagesList()).isEmpty();
        assertThat(server.engine.orders)
                .containsExactly(new PullOrder(List.of("orders"), 1, Duration.ZERO, null, false, "127.0.0.1"));
    }

    @Test
    void anAnswerFitsAClientAndTheRestGoesBack() {
        List<PulledMessage> many = IntStream.range(0, 10)
                .mapToObj(i -> pulled("x".repeat(999_000)))
                .toList();
        server.engine.ready = many;
        PullReply reply = server.client().pull(pull().setCount(10).build());
        assertThat(reply.getMessagesList()).hasSize(4);
        assertThat(server.engine.givenBack).isEqualTo(many.subList(4, 10));
    }

    @Test
    void aClientThatGoesAwayWaitsNoLonger() {
        Context.CancellableContext call = Context.current().withCancellation();
        call.run(() -> {
            var unused = DelayServiceGrpc.newFutureStub(server.channel)
                    .pull(pull().setWait(30_000).build());
        });
        await().until(() -> server.engine.waiting.size() == 1);
        call.cancel(null);
        await().until(() -> server.engine.ended.size() == 1);
        PulledMessage late = pulled("{}");
        server.engine.waiting.get(0).accept(new PullAnswer(List.of(late), null));
        assertThat(server.engine.givenBack).containsExactly(late);
    }

    @Test
    void aDeadlineEndsTheWait() {
        // The connection is there: a deadline that ends before the server has the call shows nothing.
        server.client().pull(pull().build());
        StatusRuntimeException late = Assertions.catchThrowableOfType(
                StatusRuntimeException.class, () -> DelayServiceGrpc.newBlockingStub(server.channel)
                        .withDeadlineAfter(Duration.ofSeconds(1))
                        .pull(pull().setWait(30_000).build()));
        assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        await().until(() -> server.engine.ended.size() == 1);
    }

    @Test
    void aStopEndsTheWaitAndRefusesNewCalls() throws InterruptedException, ExecutionException {
        var waits = ClientCalls.futureUnaryCall(
                server.channel.newCall(DelayServiceGrpc.getPullMethod(), io.grpc.CallOptions.DEFAULT),
                pull().setWait(30_000).build());
        await().until(() -> server.engine.waiting.size() == 1);
        server.api.announceStop();
        assertThat(waits.get()).isEqualTo(PullReply.getDefaultInstance());
        assertThat(Assertions.catchThrowableOfType(StatusRuntimeException.class, () -> server.client()
                                .pull(pull().build()))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void anErrorOfTheEngineIsTheAnswer() {
        var waits = DelayServiceGrpc.newFutureStub(server.channel)
                .pull(pull().setWait(30_000).build());
        await().until(() -> server.engine.waiting.size() == 1);
        server.engine
                .waiting
                .get(0)
                .accept(PullAnswer.failed(new DelayException(ErrorCode.NOT_PULLABLE, "no consumer pulls it")));
        assertThat(failure(() -> {
                    try {
                        waits.get();
                    } catch (ExecutionException e) {
                        throw e.getCause();
                    }
                }))
                .isEqualTo("FAILED_PRECONDITION NOT_PULLABLE 0 no consumer pulls it");
    }

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Wrong {
        NO_TOPIC("topic is required", p -> p.clearTopics()),
        EMPTY_TOPIC("topic is empty", p -> p.addTopics("")),
        PATTERN("topic ends with *", p -> p.addTopics("a*")),
        TWICE("topic orders is given twice", p -> p.addTopics("orders")),
        MANY("a pull names at most 16 topics", p -> {
            IntStream.range(0, 16).forEach(i -> p.addTopics("t" + i));
            return p;
        }),
        COUNT("count must be from 1 to 100", p -> p.setCount(0)),
        COUNT_LARGE("count must be from 1 to 100", p -> p.setCount(101)),
        WAIT("wait must be from 0s to 1m", p -> p.setWait(60_001)),
        WAIT_NEGATIVE("wait must be from 0s to 1m", p -> p.setWait(-1)),
        TTR("ttr must be from 1s to 1d", p -> p.setTtr(-5)),
        CONSUMER("consumer must have 1 to", p -> p.setConsumer("a b"));

        private final String text;
        private final UnaryOperator<PullRequest.Builder> change;

        Wrong(String text, UnaryOperator<PullRequest.Builder> change) {
            this.text = text;
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongFieldIsNamed(Wrong wrong) {
        PullRequest bad = wrong.change.apply(pull()).build();
        assertThat(failure(() -> server.client().pull(bad)))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 ")
                .contains(wrong.text);
        assertThat(server.engine.orders).isEmpty();
        assertThat(server.engine.refused).as("refused pushes").isEmpty();
    }

    private static io.mykit.delay.v1.Settlement.Builder item(String id) {
        return io.mykit.delay.v1.Settlement.newBuilder().setId(id).setReceipt("r");
    }

    private SettleReply settle(SettleVerb verb, io.mykit.delay.v1.Settlement.Builder... items) {
        SettleRequest.Builder request = SettleRequest.newBuilder().setVerb(verb);
        List.of(items).forEach(request::addItems);
        return server.client().settle(request.build());
    }

    @Test
    void eachVerbHasItsFields() {
        settle(SettleVerb.ACK, item("1").setResultText("done"), item("2").setResultData(ByteString.copyFrom(new byte[] {
            1
        })));
        settle(SettleVerb.NACK, item("3").setDelay(5).setDetail("why"));
        settle(SettleVerb.RELEASE, item("4").setDelay(0));
        SettleReply extended = settle(SettleVerb.EXTEND, item("5").setTtr(1000));
        settle(SettleVerb.BURY, item("6").setDetail("why"));
        assertThat(server.engine.verbs).containsExactly(Verb.ACK, Verb.NACK, Verb.RELEASE, Verb.EXTEND, Verb.BURY);
        assertThat(server.engine.settlements)
                .containsExactly(
                        new Settlement("1", "r", null, null, "", new MessageResult("done", false)),
                        new Settlement("2", "r", null, null, "", new MessageResult("AQ==", true)),
                        new Settlement("3", "r", Duration.ofMillis(5), null, "why"),
                        new Settlement("4", "r", Duration.ZERO, null, ""),
                        new Settlement("5", "r", null, Duration.ofSeconds(1), ""),
                        new Settlement("6", "r", null, null, "why"));
        assertThat(extended.getResults(0).getLeaseUntil()).isEqualTo(99);
    }

    @Test
    void eachItemHasItsOwnResult() {
        SettleReply reply = settle(
                SettleVerb.ACK,
                item("1"),
                item("lost"),
                item(""),
                item("4").setReceipt(""),
                item("5").setDelay(1),
                item("6").setResultText("x".repeat(65_537)));
        assertThat(reply.getResultsList())
                .extracting(result -> result.getId() + " " + result.getError().getCode() + " "
                        + result.getError().getError() + " " + result.getError().getMessage())
                .containsExactly(
                        "1 0  ",
                        "lost 9 LEASE_LOST the lease of message lost has ended, or another consumer holds the message",
                        " 3 INVALID_REQUEST id is required",
                        "4 3 INVALID_REQUEST receipt is required",
                        "5 3 INVALID_REQUEST delay is no field of ACK",
                        "6 8 TOO_LARGE resultText is larger than 65536 bytes");
    }

    @Test
    void aVerbIsRequired() {
        assertThat(failure(() -> settle(SettleVerb.SETTLE_VERB_UNSPECIFIED, item("1"))))
                .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST 0 verb is required: ACK, NACK, RELEASE, EXTEND or BURY");
        assertThat(failure(() -> server.client()
                        .settle(SettleRequest.newBuilder().setVerbValue(9).build())))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 verb 9 is unknown");
        SettleRequest.Builder many = SettleRequest.newBuilder().setVerb(SettleVerb.ACK);
        IntStream.range(0, 1001).forEach(i -> many.addItems(item("1")));
        assertThat(failure(() -> server.client().settle(many.build()))).contains("items has at most 1000 items");
        assertThat(server.engine.settlements).isEmpty();
    }
}
