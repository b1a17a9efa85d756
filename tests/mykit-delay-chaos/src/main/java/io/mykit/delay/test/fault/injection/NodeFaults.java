package io.mykit.delay.test.fault.injection;

import static io.mykit.delay.test.fault.injection.Fault.Trait.NONE;
import static io.mykit.delay.test.fault.injection.Fault.Trait.TAKES_THE_LEADER;
import static io.mykit.delay.test.fault.injection.Fault.What.NODE;

import io.mykit.delay.test.fault.injection.Fault.Heal;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Nodes that die, sleep, and are stopped in good order. */
final class NodeFaults {
    private static final Duration LONGER_THAN_A_SESSION = Rig.SESSION_TIMEOUT.plusMillis(2500);

    /** After 10 s without a fair sample, a node takes any sample for the common clock. */
    private static final Duration LONGER_THAN_A_CLOCK = Duration.ofSeconds(13);

    private NodeFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault("kill-leader", NODE, TAKES_THE_LEADER, Duration.ofSeconds(2), (rig, random) -> {
                    Node node = leader(rig, random);
                    node.kill();
                    return node::restart;
                }),
                new Fault("kill-standby", NODE, NONE, Duration.ofSeconds(1), (rig, random) -> {
                    Node node = standby(rig, random);
                    node.kill();
                    return node::restart;
                }),
                new Fault("freeze-leader", NODE, TAKES_THE_LEADER, LONGER_THAN_A_SESSION, NodeFaults::freezeLeader),
                new Fault("freeze-leader-long", NODE, TAKES_THE_LEADER, LONGER_THAN_A_CLOCK, NodeFaults::freezeLeader),
                new Fault("freeze-standby", NODE, NONE, LONGER_THAN_A_CLOCK, (rig, random) -> {
                    Node node = standby(rig, random);
                    node.freeze();
                    return node::thaw;
                }),
                new Fault("thaw-into-empty-redis", NODE, TAKES_THE_LEADER, LONGER_THAN_A_SESSION, (rig, random) -> {
                    Node node = leader(rig, random);
                    node.freeze();
                    return () -> {
                        // It wakes before its successor has seen that Redis is empty.
                        rig.index().onAll("FLUSHALL");
                        node.thaw();
                    };
                }),
                new Fault("stop-leader", NODE, TAKES_THE_LEADER, Duration.ofSeconds(1), (rig, random) -> {
                    Node node = leader(rig, random);
                    node.terminate();
                    return () -> {
                        node.awaitEnd();
                        node.restart();
                    };
                }));
    }

    private static Heal freezeLeader(Rig rig, SplittableRandom random) {
        Node node = leader(rig, random);
        node.freeze();
        return node::thaw;
    }

    /** In the middle of another fault there may be no leader: then any node. */
    static Node leader(Rig rig, SplittableRandom random) {
        int any = random.nextInt(rig.nodes().size());
        return rig.leader().orElse(rig.nodes().get(any));
    }

    static Node standby(Rig rig, SplittableRandom random) {
        Node leader = leader(rig, random);
        return rig.nodes().get(leader == rig.nodes().get(0) ? 1 : 0);
    }

    static Node any(Rig rig, SplittableRandom random) {
        return rig.nodes().get(random.nextInt(rig.nodes().size()));
    }
}
