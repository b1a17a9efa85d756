package io.mykit.delay.test.bench.rig;

/** A consumer of one topic that only reads the time of each arrival. */
public interface Sink extends AutoCloseable {
    /** Property of messages that did not come through the server: when they were due (or sent), in microseconds. */
    String DUE_MICROS = "dueMicros";
    /** Property of messages of the server: the due time in milliseconds. */
    String DUE_TIME = "dueTime";
    /** Property of messages of the server. */
    String ID = "id";

    /** Counts the messages that arrive from now on in the new tally. */
    default Tally restart() {
        Tally tally = new Tally();
        restart(tally);
        return tally;
    }

    /** The same in a tally that is there. */
    void restart(Tally tally);

    @Override
    void close();
}
