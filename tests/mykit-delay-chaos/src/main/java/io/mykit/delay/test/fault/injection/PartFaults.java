package io.mykit.delay.test.fault.injection;

import static io.mykit.delay.test.fault.injection.Fault.BY_ITSELF;
import static io.mykit.delay.test.fault.injection.Fault.Trait.NONE;
import static io.mykit.delay.test.fault.injection.Fault.What.BROKER;
import static io.mykit.delay.test.fault.injection.Fault.What.MYSQL;
import static io.mykit.delay.test.fault.injection.Fault.What.ZOOKEEPER;

import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import io.mykit.delay.test.server.ZooKeeperServer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** MySQL, ZooKeeper and the broker die, sleep and forget. */
final class PartFaults {
    private static final Duration LONGER_THAN_A_SESSION = Rig.SESSION_TIMEOUT.plusSeconds(2);

    private static final Duration STUTTER = Duration.ofSeconds(5);

    private PartFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault("kill-mysql", MYSQL, NONE, Duration.ofSeconds(2), (rig, random) -> {
                    rig.mysql().kill();
                    return rig.mysql()::restart;
                }),
                new Fault("freeze-mysql", MYSQL, NONE, Duration.ofSeconds(10), (rig, random) -> {
                    rig.mysql().freeze();
                    return rig.mysql()::thaw;
                }),
                // The outcomes of this time are in Redis alone, until it is emptied.
                new Fault("flush-redis-behind-mysql", MYSQL, NONE, Duration.ofSeconds(8), (rig, random) -> {
                    rig.mysql().freeze();
                    return () -> {
                        rig.index().onAll("FLUSHALL");
                        rig.mysql().thaw();
                    };
                }),
                // Shorter than any timeout: every statement is answered, and the connections are all in use.
                new Fault("stutter-mysql", MYSQL, NONE, STUTTER, (rig, random) -> {
                    return Stutter.begin(rig.mysql()::freeze, rig.mysql()::thaw, Duration.ofMillis(300));
                }),
                new Fault("kill-zookeeper-server", ZOOKEEPER, NONE, Duration.ofSeconds(3), (rig, random) -> {
                    List<ZooKeeperServer> servers = rig.zooKeeper().servers();
                    return kill(rig, List.of(servers.get(random.nextInt(servers.size()))));
                }),
                new Fault("kill-zookeeper-majority", ZOOKEEPER, NONE, LONGER_THAN_A_SESSION, (rig, random) -> {
                    int from = random.nextInt(2);
                    return kill(rig, rig.zooKeeper().servers().subList(from, from + 2));
                }),
                new Fault("delete-election-node", ZOOKEEPER, NONE, Duration.ZERO, (rig, random) -> {
                    deleteElectionNode(rig);
                    return BY_ITSELF;
                }),
                new Fault("kill-broker", BROKER, NONE, Duration.ofSeconds(3), (rig, random) -> {
                    rig.broker().kill();
                    return rig.broker()::restart;
                }),
                new Fault("freeze-broker", BROKER, NONE, Duration.ofSeconds(5), (rig, random) -> {
                    rig.broker().freeze();
                    return rig.broker()::thaw;
                }),
                new Fault("refuse-broker", BROKER, NONE, Duration.ofSeconds(4), PartFaults::refuses, (rig, random) -> {
                    rig.broker().refuseSome();
                    return rig.broker()::takeAll;
                }),
                new Fault("stutter-broker", BROKER, NONE, STUTTER, (rig, random) -> {
                    return Stutter.begin(rig.broker()::freeze, rig.broker()::thaw, Duration.ofSeconds(1));
                }));
    }

    private static boolean refuses(Variant variant) {
        return variant.broker().refuses();
    }

    private static Fault.Heal kill(Rig rig, List<ZooKeeperServer> servers) {
        servers.forEach(ZooKeeperServer::kill);
        return () -> {
            servers.forEach(ZooKeeperServer::restart);
            rig.zooKeeper().awaitServing();
        };
    }

    /** The first in the row: its owner leads. */
    private static void deleteElectionNode(Rig rig) throws Exception {
        ZooKeeper client = new ZooKeeper(rig.zooKeeper().connectString(), 10_000, event -> {});
        try {
            String path = rig.electionPath();
            Optional<String> first =
                    client.getChildren(path, false).stream().min(Comparator.comparing(PartFaults::number));
            if (first.isPresent()) {
                client.delete(path + "/" + first.get(), -1);
            }
        } catch (KeeperException.NoNodeException e) {
            // In the middle of another fault there may be no candidates.
        } finally {
            client.close();
        }
    }

    private static String number(String candidate) {
        return candidate.substring(candidate.lastIndexOf('-') + 1);
    }
}
