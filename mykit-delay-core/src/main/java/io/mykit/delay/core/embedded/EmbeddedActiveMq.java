package io.mykit.delay.core.embedded;

import io.mykit.delay.channel.activemq.ActiveMqSettings;
import io.mykit.delay.common.lifecycle.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.usage.SystemUsage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ActiveMQ broker in this process. It listens on loopback and syncs its journal to disk before it confirms a message.
 * Not thread-safe, except {@link #settings()} after the start.
 */
public final class EmbeddedActiveMq implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedActiveMq.class);
    private static final long MIB = 1024 * 1024;
    private static final int JOURNAL_FILE = (int) (16 * MIB);
    private static final long MEMORY = 64 * MIB;
    private static final long MAX_STORE = 10 * 1024 * MIB;

    private final Path dir;
    /** The configured port; 0 = any free port. */
    private final Optional<Integer> port;

    private BrokerService broker;
    private String url;

    /**
     * @param port 0 = any free port; empty = {@value ActiveMqSettings#EMBEDDED_PORT}, or another free port if that one is
     *     taken
     */
    public EmbeddedActiveMq(Path dataDir, Optional<Integer> port) {
        this.dir = dataDir.resolve("activemq");
        this.port = port;
    }

    /** The settings with which clients connect to it, by configuration key. */
    public Map<String, String> settings() {
        return Map.of("mykit.delay.activemq.broker-url", "failover:(" + url + ")?maxReconnectDelay=1000");
    }

    /** The URL to which clients connect. */
    public String url() {
        return url;
    }

    /** @throws StartException if the configured port is taken or the files cannot be used */
    @Override
    public void start() {
        int wanted = port.orElse(ActiveMqSettings.EMBEDDED_PORT);
        try {
            Files.createDirectories(dir);
            broker = configured();
            TransportConnector connector = listen(wanted);
            broker.start();
            url = "tcp://127.0.0.1:" + connector.getConnectUri().getPort();
        } catch (Exception e) {
            close();
            throw new StartException(
                    "the embedded ActiveMQ broker cannot start on 127.0.0.1:" + wanted + " (" + rootCause(e)
                            + "); another port can be chosen with mykit.delay.activemq.embedded-port, 0 = any",
                    e);
        }
    }

    /** Binds the port now. Consumers know the port that the configuration names, so no other port may take its place. */
    private TransportConnector listen(int wanted) throws Exception {
        try {
            return broker.addConnector("tcp://127.0.0.1:" + wanted);
        } catch (IOException e) {
            if (port.isPresent()) {
                throw e;
            }
            TransportConnector other = broker.addConnector("tcp://127.0.0.1:0");
            LOG.warn(
                    "Port {} of 127.0.0.1 is taken ({}): the embedded ActiveMQ broker listens on port {} instead, until the"
                            + " next start; mykit.delay.activemq.embedded-port chooses a port",
                    wanted,
                    rootCause(e),
                    other.getConnectUri().getPort());
            return other;
        }
    }

    @Override
    public void close() {
        if (broker == null) {
            return;
        }
        try {
            broker.stop();
        } catch (Exception e) {
            LOG.warn("The embedded ActiveMQ broker did not close cleanly; it repairs its files at the next start", e);
        }
        broker = null;
    }

    private BrokerService configured() throws IOException {
        BrokerService service = new BrokerService();
        service.setBrokerName("mykit-delay");
        service.setDataDirectoryFile(dir.toFile());
        service.setPersistenceAdapter(journal());
        service.setUseJmx(false);
        // The server stops the broker itself, after the last send.
        service.setUseShutdownHook(false);
        service.setSchedulerSupport(false);
        service.setAdvisorySupport(false);
        limit(service.getSystemUsage());
        return service;
    }

    private KahaDBPersistenceAdapter journal() {
        KahaDBPersistenceAdapter journal = new KahaDBPersistenceAdapter();
        journal.setDirectory(dir.resolve("kahadb").toFile());
        journal.setJournalMaxFileLength(JOURNAL_FILE);
        journal.setPreallocationStrategy("sparse_file");
        return journal;
    }

    /**
     * The broker may use half of the free disk space, so that a missing consumer does not fill the disk. A full store makes
     * sends fail.
     */
    private void limit(SystemUsage usage) throws IOException {
        long half = Files.getFileStore(dir).getUsableSpace() / 2;
        usage.getMemoryUsage().setLimit(MEMORY);
        usage.getStoreUsage().setLimit(Math.min(MAX_STORE, half));
        usage.getTempUsage().setLimit(Math.min(MAX_STORE / 10, half));
        usage.setSendFailIfNoSpace(true);
    }

    private static String rootCause(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage();
    }
}
