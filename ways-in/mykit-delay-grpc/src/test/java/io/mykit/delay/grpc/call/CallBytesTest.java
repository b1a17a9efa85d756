package io.mykit.delay.grpc.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class CallBytesTest {
    private final ByteBudget budget = new ByteBudget(1000);
    private final CallBytes bytes = (CallBytes) Calls.counting(budget).newServerStreamTracer("m", new Metadata());

    @Test
    void whatIsTakenAfterTheEndIsNotCounted() {
        assertThat(bytes.take(100)).isTrue();
        bytes.streamClosed(Status.CANCELLED);
        assertThat(bytes.take(100)).isFalse();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void aRequestBeyondItsMaximumEndsItsCallOnce() {
        int[] refused = {0};
        bytes.onOverflow(150, () -> refused[0]++);
        bytes.inboundWireSize(100);
        assertThat(refused[0]).isZero();
        bytes.inboundWireSize(100);
        bytes.inboundWireSize(100);
        assertThat(refused[0]).isEqualTo(1);
    }

    @Test
    void anUnpackedRequestCountsOnce() {
        bytes.inboundWireSize(100);
        bytes.unpacked(80);
        assertThat(budget.taken()).isEqualTo(100);
        bytes.unpacked(700);
        assertThat(budget.taken()).isEqualTo(700);
    }
}
