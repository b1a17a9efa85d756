package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.Breakable;

/** A part of a run that is one server: each fault breaks it. */
abstract class OneServer<S extends Breakable> implements Breakable {
    final S server;

    OneServer(S server) {
        this.server = server;
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public void close() {
        server.close();
    }
}
