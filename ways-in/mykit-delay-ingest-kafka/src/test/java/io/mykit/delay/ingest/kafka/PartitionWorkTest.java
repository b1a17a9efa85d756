package io.mykit.delay.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.ConsumerRecord;
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

    private Entry added(long offset) {
        Entry entry = new Entry(new ConsumerRecord<>("pushes", 0, offset, new byte[0], new byte[0]));
        work.add(entry);
        return entry;
    }
}
