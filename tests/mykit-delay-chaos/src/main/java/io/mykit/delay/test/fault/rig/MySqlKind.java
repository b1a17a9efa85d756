package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.MySqlPair;
import io.mykit.delay.test.server.MySqlServer;
import java.nio.file.Path;
import java.util.Locale;

/** How MySQL is set up in a run. */
public enum MySqlKind {
    SINGLE,
    /** A primary and an asynchronous replica, which is promoted once it has everything. */
    REPLICA;

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    StoreServers start(Path dir) {
        return switch (this) {
            case SINGLE -> new SingleMySql(MySqlServer.start(dir));
            case REPLICA -> new ReplicatedMySql(MySqlPair.start(dir));
        };
    }
}
