package io.mykit.delay.test.bench.rig;

import java.util.Map;

/** A broker that runs for one line only. It holds back no message. */
public interface Guest extends Broker, AutoCloseable {
    /** Of a server that delivers the topics of all uses to this broker. */
    Map<String, String> settings();

    /** Whether it stands in for a broker that is not installed, and is too slow for as many messages as that one gets. */
    default boolean isStandIn() {
        return false;
    }

    @Override
    void close();
}
