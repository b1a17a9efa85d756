package io.mykit.delay.test.fault.rig;

import java.util.Locale;

/** A part that a node needs. */
public enum Part {
    REDIS,
    MYSQL,
    ZOOKEEPER,
    BROKER;

    /** As in the names of faults. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
