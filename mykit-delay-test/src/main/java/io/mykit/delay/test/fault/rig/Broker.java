package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import java.util.List;
import java.util.Map;

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

    /** Of two arrivals with the same key one is the broker's own repetition, and none of ours; empty: it never repeats. */
    String repetitionKey(Arrival arrival);

    /** SIGKILL; what it confirmed is on disk. */
    void kill();

    /** Also after a kill: same port, same data. Returns when it takes messages. */
    void restart();

    void freeze();

    void thaw();

    @Override
    void close();
}
