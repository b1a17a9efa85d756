package io.mykit.delay.queue.pull;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.memory.MemoryQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Acks with results. */
class AckResultTest {
    private static final MessageResult FIRST = new MessageResult("first", false);
    private static final MessageResult SECOND = new MessageResult("second", false);

    private PullFixture node;
    private MemoryQueue queue;

    @BeforeEach
    void start() {
        node = new PullFixture();
        queue = node.queue;
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theResultOfAnAckIsKeptWithTheEnd() throws Exception {
        node.ready("m");
        assertThat(ack(node.take(), FIRST).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.status("m")).isEqualTo(FINISH);
        assertThat(queue.store().result("m")).contains(FIRST);
    }

    @Test
    void theFirstResultWins() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        ack(pulled, FIRST);
        assertThat(ack(pulled, SECOND).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.store().result("m")).contains(FIRST);
    }

    @Test
    void anAckWithoutAResultStaysWithoutOne() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        node.settle(Verb.ACK, pulled);
        assertThat(ack(pulled, SECOND).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.store().result("m")).isEmpty();
    }

    @Test
    void aLateAckKeepsItsResult() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        node.settle(Verb.RELEASE, pulled);
        assertThat(ack(pulled, FIRST).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.store().result("m")).contains(FIRST);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void anAckOfAMessageThatEndedOtherwiseLeavesNoResult() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        Rows.move(queue, "m", MessageStatus.READY, MessageStatus.EXPIRED);
        assertThat(ack(pulled, FIRST).result()).isEqualTo(SettleResult.ALREADY_FINISHED);
        assertThat(queue.store().result("m")).isEmpty();
    }

    @Test
    void withoutTheStoreAnAckWithAResultIsRefusedAndOneWithoutIsParked() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().goAway();
        Settled refused = ack(pulled, FIRST);
        assertThat(refused.failure().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(queue.location("m")).isNotNull();

        Settled parked = node.settle(Verb.ACK, pulled);
        assertThat(parked.result()).isEqualTo(SettleResult.DONE);
        assertThat(parked.recorded()).isFalse();
    }

    private Settled ack(PulledMessage pulled, MessageResult result) throws Exception {
        return node.settle(Verb.ACK, new Settlement(pulled.message().id(), pulled.receipt(), null, null, "", result));
    }
}
