package io.mykit.delay.queue.leader;

import io.mykit.delay.config.RegistryConfig;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address of the ZooKeeper ensemble, and the settings of a session with it. */
record Registry(String servers, String namespace, Duration sessionTimeout) {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int RETRY_BASE_MS = 100;
    private static final int RETRIES = 3;

    static Registry of(RegistryConfig config) {
        String servers = config.serverList()
                .filter(list -> !list.isBlank())
                .orElseThrow(() -> new IllegalArgumentException(
                        "mykit.delay.registry.server-list is needed in master-standby: host:port,host:port,..."));
        return new Registry(servers, config.namespace(), config.sessionTimeout());
    }

    /**
     * Opens a client and returns at once. The client connects when the ensemble is available.
     *
     * @param onTrouble called in the client's event thread when the session is uncertain or lost
     */
    CuratorFramework connect(Runnable onTrouble) {
        int sessionMs = Math.toIntExact(sessionTimeout.toMillis());
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .namespace(namespace)
                .sessionTimeoutMs(sessionMs)
                .connectionTimeoutMs(sessionMs / 2)
                .retryPolicy(new BoundedExponentialBackoffRetry(RETRY_BASE_MS, sessionMs / 2, RETRIES))
                .build();
        client.getConnectionStateListenable().addListener((ignored, state) -> {
            LOG.info("ZooKeeper connection: {}", state);
            if (state == ConnectionState.SUSPENDED || state == ConnectionState.LOST) {
                onTrouble.run();
            }
        });
        client.start();
        return client;
    }
}
