package io.mykit.delay.test.bench.rig;

import java.util.List;

/** One of the two brokers, reached directly: as the raw ceiling, and as a peer with delayed messages of its own. */
public interface Broker {
    /** For a person, and as in {@link Rig#everybodysClock()}. */
    String name();

    /** The id of the process. */
    long pid();

    /** A topic that the server delivers to this broker. */
    String topic(Use use);

    /** Opens a consumer of the messages that arrive from now on; makes the topic if it does not exist. */
    Sink sink(String topic) throws Exception;

    /** Opens a producer for one thread. */
    Producer producer(String topic) throws Exception;

    /** The use of a topic. */
    enum Use {
        DRAIN,
        LATENESS
    }

    /** Sends, and returns when the broker has confirmed. For one thread. */
    interface Producer extends AutoCloseable {
        /** One message, due (or sent) at this time. */
        void send(long dueMicros) throws Exception;

        /** The same for many at once, in a batch or a transaction. */
        void send(List<Long> dueMicros) throws Exception;

        /** One message that the broker is to hold back until then. */
        void sendDelayed(long dueMicros) throws Exception;

        @Override
        void close();
    }
}
