package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The broker of a run. For one thread at a time, but for its inboxes. */
public interface Broker extends AutoCloseable {
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

    /** Of two arrivals with the same key, one is the broker's own repetition and not the server's; empty: it never repeats. */
    String repetitionKey(Arrival arrival);

    /** The replica of a replicated broker; a fault of the replica leaves the broker at work. */
    default Optional<Replica> replica() {
        return Optional.empty();
    }

    /** SIGKILL; confirmed messages are on disk. */
    void kill();

    /** Also after a kill: same port, same data. Returns when it takes messages. */
    void restart();

    void freeze();

    void thaw();

    /** Every third message is refused, whichever it is; the same one may be taken the next time. */
    void refuseSome();

    void takeAll();

    @Override
    void close();

    /** A copy of the broker. */
    interface Replica {
        /** SIGKILL. */
        void kill();

        /** After a kill; returns when it has all that the broker stored. */
        void restart();
    }
}
