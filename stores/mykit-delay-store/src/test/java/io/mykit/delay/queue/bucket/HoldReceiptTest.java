package io.mykit.delay.queue.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldReceiptTest {
    private static final long T0 = 1_790_000_000_123L;

    @ParameterizedTest
    @ValueSource(strings = {"", "worker-1", "10.0.0.7", "orders.svc:8080/a@b_c", "2001:db8:85a3:0:0:8a2e:370:73"})
    void aReceiptTellsItsConsumerAndItsTime(String consumer) {
        String drawn = HoldReceipt.draw(T0, consumer);
        assertThat(HoldReceipt.read(drawn)).contains(new HoldReceipt(drawn, consumer, T0));
    }

    @Test
    void aReceiptOfAnOlderVersionOrOfALeaderTellsNothing() {
        assertThat(HoldReceipt.read("0123456789ABCDEF")).isEmpty();
        assertThat(HoldReceipt.read("left")).isEmpty();
        assertThat(HoldReceipt.read("")).isEmpty();
        assertThat(HoldReceipt.read("u-------________~x")).isEmpty();
    }

    @Test
    void anotherNameIsTheSameHold() {
        String drawn = HoldReceipt.draw(T0, "");
        String named = HoldReceipt.rename(drawn, "a.b");
        assertThat(HoldReceipt.read(named)).contains(new HoldReceipt(named, "a.b", T0));
        assertThat(HoldReceipt.same(drawn, named)).isTrue();
        assertThat(HoldReceipt.same(HoldReceipt.draw(T0, "a"), HoldReceipt.draw(T0, "a")))
                .isFalse();
        assertThat(HoldReceipt.same("0123456789ABCDEF", "0123456789ABCDEF")).isTrue();
    }

    @Test
    void receiptsOfOneMillisecondDiffer() {
        Set<String> drawn = IntStream.range(0, 10_000)
                .mapToObj(i -> HoldReceipt.draw(T0, "a"))
                .collect(Collectors.toSet());
        assertThat(drawn).hasSize(10_000);
    }

    /** Nodes of older versions take receipts of 64 characters, and cut the text of a consumer at its dots. */
    @Test
    void nodesOfOlderVersionsTakeTheReceiptOfTheLongestName() {
        String receipt = HoldReceipt.draw(T0, "9.".repeat(HoldReceipt.MAX_CONSUMER / 2));
        assertThat(receipt).doesNotContain(".");
        assertThat(receipt + "." + Integer.MAX_VALUE + ".10000").hasSizeLessThanOrEqualTo(64);
    }
}
