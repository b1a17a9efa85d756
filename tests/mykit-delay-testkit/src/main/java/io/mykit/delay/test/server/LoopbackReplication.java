package io.mykit.delay.test.server;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.ha.DefaultHAService;

/** The broker's own replication, which by itself would listen on all interfaces. */
public final class LoopbackReplication extends DefaultHAService {
    @Override
    public void init(DefaultMessageStore store) throws IOException {
        super.init(store);
        int port = store.getMessageStoreConfig().getHaListenPort();
        try {
            Field accepting = DefaultHAService.class.getDeclaredField("acceptSocketService");
            accepting.setAccessible(true);
            Field address = AcceptSocketService.class.getDeclaredField("socketAddressListen");
            address.setAccessible(true);
            address.set(accepting.get(this), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this release of the broker keeps its address elsewhere", e);
        }
    }
}
