package io.mykit.delay.test.server;

import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.ha.DefaultHAService;
import org.apache.rocketmq.store.ha.WaitNotifyObject;

/** A lone broker has nobody to copy to; the real service would listen on all interfaces. */
public final class NoReplication extends DefaultHAService {
    @Override
    public void init(DefaultMessageStore store) {
        defaultMessageStore = store;
        waitNotifyObject = new WaitNotifyObject();
    }

    @Override
    public void start() {
        // Nobody to wait for.
    }

    @Override
    public void shutdown() {
        // Nothing was started.
    }
}
