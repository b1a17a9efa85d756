package io.mykit.delay.ingest.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record on its way into the database. The loop makes it; the thread that knows the end of the record notes the end. */
final class Entry {
    /** Counts for the objects beside the bytes of a record. */
    private static final int OVERHEAD = 256;

    private final ConsumerRecord<byte[], byte[]> record;
    private String id = "";
    private volatile State state = State.OPEN;

    Entry(ConsumerRecord<byte[], byte[]> record) {
        this.record = record;
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
        // A message holds the body once more, as text.
        return OVERHEAD + 2L * Math.max(0, record.serializedKeySize() + record.serializedValueSize());
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
