package io.mykit.delay.queue.bucket.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.queue.redis.Replies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredIdsTest {
    private static final long YEAR_2109_MS = 1L << 42;

    @Test
    void generatedIdsAreTwelveBytesAndKeepTheirOrder() {
        AtomicLong nowMs = new AtomicLong();
        List<byte[]> stored = new ArrayList<>();
        for (int process = 0; process < 20; process++) {
            MessageIds ids = new MessageIds(() -> Instant.ofEpochMilli(nowMs.get()));
            for (int i = 0; i < 50; i++) {
                String id = ids.next();
                stored.add(StoredIds.bytes(id));
                assertThat(StoredIds.text(StoredIds.bytes(id))).isEqualTo(id);
                nowMs.addAndGet(i % 3);
            }
            nowMs.addAndGet((YEAR_2109_MS - 1_000_000) / 20);
        }
        assertThat(stored).allMatch(bytes -> bytes.length == 12).isSortedAccordingTo(Arrays::compareUnsigned);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000000000000000",
                "0FZZZZZZZZZZZZZZZZZZ",
                "0G000000000000000000",
                "1ZZZZZZZZZZZZZZZZZZZ",
                "ZZZZZZZZZZZZZZZZZZZZ",
                "01KZ4V5A8000ABCDEFGH",
                "01kz4v5a8000abcdefgh",
                "01KZ4V5A8000ABCDEFGI",
                "I1KZ4V5A8000ABCDEFGH",
                "01KZ4V5A8000ABCDEFG",
                "",
                "a",
                "twelve bytes",
                "\u4E2D\u6587\uD83D\uDE00\u0080"
            })
    void everyIdComesBack(String id) {
        assertThat(StoredIds.text(StoredIds.bytes(id))).isEqualTo(id);
    }

    @Test
    void whatIsNotGeneratedStaysReadable() {
        for (String id : List.of("order-1", "01kz4v5a8000abcdefgh", "0G000000000000000000", "ZZZZZZZZZZZZZZZZZZZZ")) {
            assertThat(StoredIds.bytes(id)).isEqualTo(Replies.bytes(id));
        }
        assertThat(StoredIds.bytes("0FZZZZZZZZZZZZZZZZZZ")).hasSize(12);
    }
}
