package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.server.Breakable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The broker of a run; confirmed messages survive its kill. For one thread at a time, but for its inboxes. */
public interface Broker extends Breakable {
    /** Where nodes connect first. */
    int port();

    /**
     * A node's settings.
     *
     * @param port of the wire to {@link #port()}
     */
    Map<String, String> settings(int port);

    /** Makes topics that the broker does not make by itself. */
    void create(List<String> topics);

    /** Survives the broker's death. */
    Inbox inbox(String topic);

    /** The name that a topic of the queue has at the broker. */
    default String named(String topic) {
        return topic;
    }

    /** Of two arrivals with the same key, one is the broker's own repetition and not the server's; empty: it never repeats. */
    String repetitionKey(Arrival arrival);

    /** The replica of a replicated broker; a fault of the replica leaves the broker at work. */
    default Optional<Replica> replica() {
        return Optional.empty();
    }

    /** The way in by records of this broker; empty = it has none. */
    default Optional<Ingest> ingest() {
        return Optional.empty();
    }

    /** Every third message is refused, whichever it is; the same one may be taken the next time. See {@link BrokerKind#refuses()}. */
    default void refuseSome() {
        throw new UnsupportedOperationException("this broker refuses no single messages");
    }

    default void takeAll() {
        throw new UnsupportedOperationException("this broker refuses no single messages");
    }

    /** Producers that push by records. Thread-safe. */
    interface Ingest {
        /**
         * Writes pushes.
         *
         * @param messages as JSON
         * @return whether the broker has confirmed each of them; one that it has not confirmed may be stored all the same
         */
        List<Boolean> write(List<String> messages);
    }

    /** A copy of the broker. */
    interface Replica {
        /** SIGKILL. */
        void kill();

        /** After a kill; returns when it has all that the broker stored. */
        void restart();
    }
}
