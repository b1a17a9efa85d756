package io.mykit.delay.test.server;

import java.nio.file.Path;
import java.util.List;
import org.apache.activemq.broker.Broker;
import org.apache.activemq.broker.BrokerFilter;
import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.ConnectionContext;
import org.apache.activemq.broker.ProducerBrokerExchange;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;
import org.apache.activemq.broker.region.policy.VMPendingQueueMessageStoragePolicy;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.Message;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.kahadb.disk.journal.Journal;

/**
 * A stand-alone ActiveMQ broker with its file store, for tests of refusals: destinations that begin with {@code
 * full.} take 64 KiB only, and with a password no client may use those that begin with {@code closed.}.
 */
public final class ActiveMqBrokerMain {

    /** System property: whether delayed messages of the broker's own kind are served. */
    static final String SCHEDULER = "mykit.test.scheduler";

    /** System property: {@code tcp} or {@code ssl}, then with the JVM's key store. */
    static final String SCHEME = "mykit.test.scheme";

    private ActiveMqBrokerMain() {}

    /** Arguments: data directory, port, options of the connector, user, password (both may be empty: no security). */
    public static void main(String[] args) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setBrokerName("test");
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(Boolean.getBoolean(SCHEDULER));
        broker.setDataDirectoryFile(Path.of(args[0]).toFile());
        KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
        store.setDirectory(Path.of(args[0], "kahadb").toFile());
        store.setPreallocationStrategy(Journal.PreallocationStrategy.SPARSE_FILE.name());
        broker.setPersistenceAdapter(store);
        broker.setDestinationPolicy(fullOnes());
        if (Refusals.arePossible()) {
            broker.setPlugins(new BrokerPlugin[] {next -> new Moody(next, Refusals.ofThisProcess())});
        }
        if (!args[3].isEmpty()) {
            broker.setPlugins(new BrokerPlugin[] {next -> new Guard(next, args[3], args[4])});
        }
        broker.addConnector(System.getProperty(SCHEME, "tcp") + "://127.0.0.1:" + args[1] + args[2]);
        broker.start();
        System.out.println("started");
        broker.waitUntilStopped();
    }

    private static PolicyMap fullOnes() {
        PolicyEntry full = new PolicyEntry();
        full.setQueue("full.>");
        full.setMemoryLimit(64 * 1024);
        full.setProducerFlowControl(true);
        // Otherwise the cursor would spool to disk and never be full.
        full.setPendingQueuePolicy(new VMPendingQueueMessageStoragePolicy());
        PolicyMap policies = new PolicyMap();
        policies.setPolicyEntries(List.of(full));
        return policies;
    }

    /** Accepts clients that have the password, lets no client send to {@code closed.}, and takes no {@code poison}. */
    private static final class Guard extends BrokerFilter {
        private final String user;
        private final String password;

        Guard(Broker next, String user, String password) {
            super(next);
            this.user = user;
            this.password = password;
        }

        @Override
        public void addConnection(ConnectionContext context, ConnectionInfo info) throws Exception {
            if (!user.equals(info.getUserName()) || !password.equals(info.getPassword())) {
                throw new SecurityException("User name [" + info.getUserName() + "] or password is invalid.");
            }
            super.addConnection(context, info);
        }

        @Override
        public void send(ProducerBrokerExchange producer, Message message) throws Exception {
            if (message.getDestination().getPhysicalName().startsWith("closed.")) {
                throw new SecurityException(
                        "User " + user + " is not authorized to write to: " + message.getDestination());
            }
            if (message.getCorrelationId() != null && message.getCorrelationId().startsWith("poison")) {
                throw new UnsupportedOperationException("does not like " + message.getCorrelationId());
            }
            super.send(producer, message);
        }
    }

    /** Refuses some messages for a while, and takes them later. */
    private static final class Moody extends BrokerFilter {
        private final Refusals refusals;

        Moody(Broker next, Refusals refusals) {
            super(next);
            this.refusals = refusals;
        }

        @Override
        public void send(ProducerBrokerExchange producer, Message message) throws Exception {
            if (refusals.hitsThisOne()) {
                throw new UnsupportedOperationException("does not like this one now");
            }
            super.send(producer, message);
        }
    }
}
