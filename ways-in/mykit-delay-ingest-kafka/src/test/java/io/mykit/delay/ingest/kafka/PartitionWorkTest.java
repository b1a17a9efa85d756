package io.mykit.delay.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PartitionWorkTest {
    private final PartitionWork work = new PartitionWork();

    /** Otherwise a busy partition keeps each record of the day. */
    @Test
    void anEndedRecordIsForgottenWhileOthersArePending() {
        for (int offset = 0; offset < 1_000; offset++) {
            Entry next = added(offset);
            assertThat(work.following("id-" + offset, next)).isEmpty();
            work.settle();
            assertThat(work.size()).isEqualTo(1);
            next.end(Entry.State.DONE);
        }
        assertThat(work.named()).isEqualTo(1);
    }

    @Test
    void aRecordFollowsTheLastOneOfItsIdThatHasNotEnded() {
        Entry first = added(0);
        assertThat(work.following("a", first)).isEmpty();
        Entry second = added(1);
        assertThat(work.following("a", second)).contains(first);
        first.end(Entry.State.DONE);
        work.settle();
        Entry third = added(2);
        assertThat(work.following("a", third)).contains(second);
        second.end(Entry.State.DONE);
        third.end(Entry.State.DONE);
        work.settle();
        assertThat(work.named()).isZero();
        assertThat(work.following("a", added(3))).isEmpty();
    }

    /** Headers of a megabyte would make the limit of the memory none. */
    @Test
    void keyValueAndHeadersCountTwice() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", new byte[1_000_000]);
        headers.add("none", null);
        Entry entry = new Entry(new ConsumerRecord<>(
                "pushes",
                0,
                0,
                0,
                TimestampType.CREATE_TIME,
                3_000,
                10_000,
                new byte[3_000],
                new byte[10_000],
                headers,
                Optional.empty()));
        work.add(entry);
        assertThat(work.bytes()).isEqualTo(entry.bytes()).isBetween(2_026_000L, 2_027_000L);
    }

    private Entry added(long offset) {
        Entry entry = new Entry(new ConsumerRecord<>("pushes", 0, offset, new byte[0], new byte[0]));
        work.add(entry);
        return entry;
    }
}
