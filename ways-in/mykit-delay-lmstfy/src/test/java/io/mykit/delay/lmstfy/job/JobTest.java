package io.mykit.delay.lmstfy.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import org.junit.jupiter.api.Test;

class JobTest {
    private static final long CREATED = 1_800_000_000_000L;

    private static Job job(long ttlSeconds, boolean dead) {
        DelayMessage message =
                new DelayMessage("i", "lm/ns/q", "", "", "hi", 2000, CREATED, CREATED + 2000, 0, ttlSeconds);
        return new Job("ns", "q", "i", message, dead);
    }

    private static String json(long ttl, long elapsed, int tries, String data) {
        return "{\"namespace\":\"ns\",\"queue\":\"q\",\"job_id\":\"i\",\"data\":" + data + ",\"ttl\":" + ttl
                + ",\"elapsed_ms\":" + elapsed + ",\"remain_tries\":" + tries + ",\"attributes\":null}";
    }

    @Test
    void theTtlIsRounded() {
        assertThat(job(10, false).peeked(3, CREATED + 2499)).isEqualTo(json(10, 2499, 3, "\"aGk=\""));
        assertThat(job(10, false).peeked(3, CREATED + 2501)).isEqualTo(json(9, 2501, 3, "\"aGk=\""));
        assertThat(job(10, false).peeked(3, CREATED + 11_900)).isEqualTo(json(1, 11_900, 3, "\"aGk=\""));
        assertThat(job(0, false).peeked(3, CREATED)).isEqualTo(json(0, 0, 3, "\"aGk=\""));
    }

    @Test
    void aJobWhoseTtlHasEndedHasNoData() {
        assertThat(job(10, false).peeked(3, CREATED + 12_001)).isEqualTo(json(0, 12_001, 0, "null"));
    }

    @Test
    void aDeadLetterHasNoTtl() {
        assertThat(job(10, true).peeked(0, CREATED + 20_000)).isEqualTo(json(0, 20_000, 0, "\"aGk=\""));
    }

    @Test
    void aConsumerIsToldThatTheJobIsNew() {
        assertThat(job(0, false).consumed(1, CREATED))
                .startsWith("{\"msg\":\"new job\",\"namespace\":")
                .contains("\"remain_tries\":1");
    }
}
