package io.mykit.delay.queue.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

/** The classes of ZooKeeper's client for TLS, which loads some of Netty's by its own list. */
class SecureClientTest {
    @Test
    void theClientForTlsCanBeOpened() throws IOException, InterruptedException {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty("zookeeper.client.secure", "true");
        config.setProperty("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
        ZooKeeper client = new ZooKeeper("127.0.0.1:1", 1000, event -> {}, config);
        try {
            assertThat(client.getState().isAlive()).isTrue();
        } finally {
            client.close();
        }
    }
}
