package io.mykit.delay.test.bench.rig;

/** A consumer of one topic that does nothing but look at the time. */
public interface Sink extends AutoCloseable {
    /** Property of messages that did not come through us: when they were due (or sent), in microseconds. */
    String DUE_MICROS = "dueMicros";
    /** Property of ours: in milliseconds. */
    String DUE_TIME = "dueTime";
    /** Property of ours. */
    String ID = "id";

    /** What comes from now on is counted in the new tally. */
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
