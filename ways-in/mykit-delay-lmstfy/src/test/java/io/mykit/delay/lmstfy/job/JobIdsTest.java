package io.mykit.delay.lmstfy.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobIdsTest {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static byte[] bytes(String ulid) {
        BigInteger value = BigInteger.ZERO;
        for (int i = 0; i < ulid.length(); i++) {
            value = value.shiftLeft(5).or(BigInteger.valueOf(DIGITS.indexOf(ulid.charAt(i))));
        }
        byte[] all = new byte[16];
        byte[] some = value.toByteArray();
        int from = Math.max(0, some.length - 16);
        System.arraycopy(some, from, all, 16 - (some.length - from), some.length - from);
        return all;
    }

    @Test
    void hasTheTimeInFrontAndTheDelayBehind() {
        long nowMs = 1_800_000_000_123L;
        JobIds ids = new JobIds(InstantSource.fixed(Instant.ofEpochMilli(nowMs)), -1);
        String id = ids.next(0x01020304L, false);
        assertThat(id).hasSize(26);
        byte[] bytes = bytes(id);
        assertThat(new BigInteger(1, Arrays.copyOf(bytes, 6)).longValue()).isEqualTo(nowMs);
        assertThat(Arrays.copyOfRange(bytes, 12, 16)).containsExactly(4, 3, 2, 1);
        assertThat(bytes(ids.next(4_294_967_295L, false))).endsWith(-1, -1, -1, -1);
        assertThat(ids.next(0, true)).startsWith("1").hasSize(27);
    }

    @Test
    void isUniqueWhileTheClockStands() {
        JobIds ids = new JobIds(InstantSource.fixed(Instant.EPOCH), 5);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(ids.next(7, false))).isTrue();
        }
    }
}
