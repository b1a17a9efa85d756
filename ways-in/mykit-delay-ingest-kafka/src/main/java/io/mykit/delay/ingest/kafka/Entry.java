package io.mykit.delay.ingest.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A record on its way into the database. The loop makes it; the thread that knows the end of the record notes the end. */
final class Entry {
    /** Counts for the objects beside the bytes of a record. */
    private static final int OVERHEAD = 256;
    /** The same of a header. */
    private static final int HEADER_OVERHEAD = 64;

    private final ConsumerRecord<byte[], byte[]> record;
    private final long bytes;
    private String id = "";
    private volatile State state = State.OPEN;

    Entry(ConsumerRecord<byte[], byte[]> record) {
        this.record = record;
        this.bytes = bytes(record);
    }

    private static long bytes(ConsumerRecord<byte[], byte[]> record) {
        long own = Math.max(0, record.serializedKeySize()) + (long) Math.max(0, record.serializedValueSize());
        for (Header header : record.headers()) {
            own += HEADER_OVERHEAD + header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        // A message holds the body once more, as text, and that of a raw record its headers.
        return OVERHEAD + 2 * own;
    }

    ConsumerRecord<byte[], byte[]> record() {
        return record;
    }

    /** The id that the producer gave; empty = none, or not read yet. For the thread of the loop. */
    String id() {
        return id;
    }

    void named(String producersId) {
        id = producersId;
    }

    long offset() {
        return record.offset();
    }

    /** About the memory that the record takes. */
    long bytes() {
        return bytes;
    }

    State state() {
        return state;
    }

    void end(State end) {
        state = end;
    }

    /** How far the record is. */
    enum State {
        /** Its push, or its write to the topic for rejected records, has no answer yet. */
        OPEN,
        /** Its message is committed, or the record is set aside: its offset may be committed. */
        DONE,
        /** The server or a broker was away: it has to be read again. */
        AGAIN
    }
}
