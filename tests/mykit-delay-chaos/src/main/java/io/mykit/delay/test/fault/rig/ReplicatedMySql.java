package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.MySqlPair;
import io.mykit.delay.test.server.MySqlServer;

/** A primary and its replica. */
final class ReplicatedMySql implements StoreServers {
    private final MySqlPair pair;

    ReplicatedMySql(MySqlPair pair) {
        this.pair = pair;
    }

    @Override
    public MySqlServer primary() {
        return pair.primary();
    }

    @Override
    public void failOver() {
        pair.failOver();
    }

    @Override
    public void rejoin() {
        pair.rejoin();
    }

    @Override
    public void close() {
        pair.close();
    }
}
