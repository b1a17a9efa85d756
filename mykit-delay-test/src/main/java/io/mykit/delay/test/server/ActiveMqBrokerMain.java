package io.mykit.delay.test.server;

import java.nio.file.Path;
import java.util.List;
import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;
import org.apache.activemq.broker.region.policy.VMPendingQueueMessageStoragePolicy;
import org.apache.activemq.security.AuthenticationUser;
import org.apache.activemq.security.AuthorizationEntry;
import org.apache.activemq.security.AuthorizationPlugin;
import org.apache.activemq.security.DefaultAuthorizationMap;
import org.apache.activemq.security.SimpleAuthenticationPlugin;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.kahadb.disk.journal.Journal;

/**
 * A stand-alone ActiveMQ broker with its file store, for tests of what a broker may refuse: whatever begins with {@code
 * full.} has room for 64 KiB only, and with a password {@code closed.} belongs to nobody.
 */
public final class ActiveMqBrokerMain {

    private ActiveMqBrokerMain() {}

    /** Arguments: data directory, port, options of the connector, user, password (both may be empty: no security). */
    public static void main(String[] args) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setBrokerName("test");
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(false);
        broker.setDataDirectoryFile(Path.of(args[0]).toFile());
        KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
        store.setDirectory(Path.of(args[0], "kahadb").toFile());
        store.setPreallocationStrategy(Journal.PreallocationStrategy.SPARSE_FILE.name());
        broker.setPersistenceAdapter(store);
        broker.setDestinationPolicy(fullOnes());
        if (!args[3].isEmpty()) {
            broker.setPlugins(security(args[3], args[4]));
        }
        broker.addConnector("tcp://127.0.0.1:" + args[1] + args[2]);
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

    private static BrokerPlugin[] security(String user, String password) throws Exception {
        SimpleAuthenticationPlugin who =
                new SimpleAuthenticationPlugin(List.of(new AuthenticationUser(user, password, "users")));
        DefaultAuthorizationMap map = new DefaultAuthorizationMap();
        for (AuthorizationEntry entry :
                List.of(entry(">", "users", true), entry(">", "users", false), entry("closed.>", "nobody", true))) {
            map.put(entry.getDestination(), entry);
        }
        return new BrokerPlugin[] {who, new AuthorizationPlugin(map)};
    }

    private static AuthorizationEntry entry(String name, String group, boolean queue) throws Exception {
        AuthorizationEntry entry = new AuthorizationEntry();
        if (queue) {
            entry.setQueue(name);
        } else {
            entry.setTopic(name);
        }
        entry.setRead("users");
        entry.setWrite(group);
        entry.setAdmin("users");
        return entry;
    }
}
