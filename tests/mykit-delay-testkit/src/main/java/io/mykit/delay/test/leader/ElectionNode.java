package io.mykit.delay.test.leader;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.RegistryConfig;
import io.mykit.delay.queue.leader.CuratorLeaderElector;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that does nothing but contend for leadership, to be killed and frozen. It prints {@code BEGIN}, {@code
 * INACTIVE} (the term was revoked) and {@code END}, each with the epoch and {@link System#nanoTime()}, which all processes
 * of one machine share; and stops on SIGTERM.
 */
public final class ElectionNode {
    private ElectionNode() {}

    /** Arguments: server list, namespace, session timeout in milliseconds, queue name, node id. */
    public static void main(String[] args) throws InterruptedException {
        RegistryConfig config = registry(args[0], args[1], Duration.ofMillis(Long.parseLong(args[2])), Duration.ZERO);
        CuratorLeaderElector elector = new CuratorLeaderElector(config, args[3], args[4], Set::of, new PrintingDuty());
        Runtime.getRuntime().addShutdownHook(new Thread(elector::close));
        elector.start();
        new CountDownLatch(1).await();
    }

    /** The configuration of a node. */
    public static RegistryConfig registry(
            String servers, String namespace, Duration sessionTimeout, Duration unfitAfter) {
        return new RegistryConfig() {
            @Override
            public Optional<String> serverList() {
                return Optional.ofNullable(servers);
            }

            @Override
            public String namespace() {
                return namespace;
            }

            @Override
            public Duration sessionTimeout() {
                return sessionTimeout;
            }

            @Override
            public Duration unfitAfter() {
                return unfitAfter;
            }
        };
    }

    private static final class PrintingDuty implements LeaderDuty {
        private LeaderTerm term;

        @Override
        public void begin(LeaderTerm next) {
            term = next;
            print("BEGIN", next);
            Threads.daemon("loss-watch", () -> reportLoss(next)).start();
        }

        @Override
        public void end() {
            print("END", term);
        }

        /** Checks whether the term still counts, as a loop does before each step. */
        private static void reportLoss(LeaderTerm term) {
            while (term.isActive()) {
                LockSupport.parkNanos(1_000_000);
            }
            print("INACTIVE", term);
        }

        private static void print(String what, LeaderTerm term) {
            System.out.println(what + " " + term.epoch() + " " + System.nanoTime());
        }
    }
}
