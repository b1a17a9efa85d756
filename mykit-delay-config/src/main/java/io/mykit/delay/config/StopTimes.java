package io.mykit.delay.config;

import java.time.Duration;

/** Divides {@link StopConfig#timeout()} among the steps of a stop. Stateless. */
public final class StopTimes {
    /** The close of the port, with answers to the last requests, of the channels and of the stores. */
    private static final Duration CLOSE = Duration.ofSeconds(10);
    /** The record of an outcome in the database and in Redis. */
    private static final Duration RECORD = Duration.ofSeconds(5);

    private StopTimes() {}

    /** How long a stop waits for the outcomes of messages that are being sent. */
    public static Duration deliveries(StopConfig stop) {
        return stop.timeout().minus(CLOSE);
    }

    /** The shortest timeout of a stop that finishes each send of this length. */
    static Duration forSend(Duration send) {
        return send.plus(RECORD).plus(CLOSE);
    }

    /** The shortest timeout of a stop that serves requests for this time. */
    static Duration forDrain(Duration drain) {
        return drain.plus(CLOSE);
    }
}
