package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.MySqlServer;

/** One server. */
final class SingleMySql implements StoreServers {
    private final MySqlServer server;

    SingleMySql(MySqlServer server) {
        this.server = server;
    }

    @Override
    public MySqlServer primary() {
        return server;
    }

    @Override
    public void failOver() {
        throw new UnsupportedOperationException("one server has no replica");
    }

    @Override
    public void rejoin() {
        throw new UnsupportedOperationException("one server has no replica");
    }

    @Override
    public void close() {
        server.close();
    }
}
