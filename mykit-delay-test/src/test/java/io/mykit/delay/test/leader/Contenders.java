package io.mykit.delay.test.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.RegistryConfig;
import io.mykit.delay.queue.leader.CuratorLeaderElector;
import io.mykit.delay.queue.leader.LeaderElector.Role;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** Electors in this JVM that contend for one queue of their own, and the invariants of the election. */
final class Contenders {
    /** A thread of a busy machine may wait for a core for more than a second. */
    static final Duration SESSION = Duration.ofSeconds(6);

    static final Duration UNFIT_AFTER = Duration.ofSeconds(2);

    /** An elector with its duty, and the parts that it cannot use. */
    record Contender(
            String id, CuratorLeaderElector elector, RecordingDuty duty, AtomicReference<Set<String>> unusable) {
        void loses(String... parts) {
            unusable.set(Set.of(parts));
        }

        boolean leads() {
            return elector.role() == Role.LEADER && duty.isActive();
        }
    }

    final String namespace = "test-" + UUID.randomUUID();
    private final String servers;
    private final RegistryConfig config;
    private final List<Contender> all = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, Boolean> overlaps = new ConcurrentHashMap<>();
    private final Thread overlapWatch = Threads.daemon("overlap-watch", this::watchOverlaps);
    private volatile boolean closed;

    Contenders(String connectString) {
        servers = connectString;
        config = ElectionNode.registry(connectString, namespace, SESSION, UNFIT_AFTER);
        overlapWatch.start();
    }

    Contender add() {
        return add(new RecordingDuty());
    }

    Contender add(RecordingDuty duty) {
        Contender added = create(duty);
        added.elector().start();
        return added;
    }

    Contender create(RecordingDuty duty) {
        return create(config, duty);
    }

    /** A node of an older version, which writes no fitness mark. */
    Contender addSilent() {
        Contender silent =
                create(ElectionNode.registry(servers, namespace, SESSION, Duration.ZERO), new RecordingDuty());
        silent.elector().start();
        return silent;
    }

    private Contender create(RegistryConfig registry, RecordingDuty duty) {
        String id = "node-" + (all.size() + 1);
        AtomicReference<Set<String>> unusable = new AtomicReference<>(Set.of());
        CuratorLeaderElector elector = new CuratorLeaderElector(registry, "queue", id, unusable::get, duty);
        Contender created = new Contender(id, elector, duty, unusable);
        all.add(created);
        return created;
    }

    /** A connection of its own to where they contend, as an operator has it; the caller closes it. */
    CuratorFramework operator() {
        CuratorFramework operator = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .namespace(namespace)
                .retryPolicy(new RetryOneTime(100))
                .build();
        operator.start();
        return operator;
    }

    /** Waits until exactly one leads. */
    Contender awaitLeader() {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> leaders().size() == 1);
        return leaders().get(0);
    }

    int size() {
        return all.size();
    }

    List<Contender> leaders() {
        return all.stream().filter(Contender::leads).toList();
    }

    /** The invariants that no sequence of events may break. */
    void assertSound() {
        all.forEach(contender ->
                assertThat(contender.duty().offences()).as(contender.id()).isEmpty());
        assertThat(overlaps).as("two led at the same time").isEmpty();
        List<Long> epochs =
                all.stream().flatMap(c -> c.duty().epochs().stream()).toList();
        assertThat(epochs).doesNotHaveDuplicates();
    }

    /** Closes all, and asserts that every term that was begun was ended. */
    void close() throws InterruptedException {
        closed = true;
        overlapWatch.join();
        all.forEach(contender -> contender.elector().close());
        all.forEach(contender -> {
            assertThat(contender.duty().term()).isNull();
            assertThat(contender.duty().ended())
                    .isEqualTo(contender.duty().epochs().size());
        });
    }

    /** Looks at one, at another, and at the first again: active all along means that both were at the same time. */
    private void watchOverlaps() {
        while (!closed) {
            for (Contender one : all) {
                var term = one.duty().term();
                if (term == null || !term.isActive()) {
                    continue;
                }
                for (Contender other : all) {
                    if (!other.equals(one) && other.duty().isActive() && term.isActive()) {
                        overlaps.put(one.id() + " and " + other.id(), true);
                    }
                }
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
