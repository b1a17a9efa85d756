package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.OutageLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads alone, without a registry: it takes an epoch, which fences any earlier leader, and begins. Used in {@code standalone}
 * mode.
 *
 * <p>If this node is fenced, a second process was started with the same queue name. Normally an operator replaced this
 * process, so the newer process keeps the lead. This node contends again after half a minute to a minute, and waits twice as
 * long each time, up to ten minutes. The wait is long enough that two processes that run by mistake do not fence each other
 * all the time. It is short enough that the queue gets a leader again if the newer process has ended. For a fast takeover,
 * use {@code master-standby}.
 *
 * <p>Thread-safe.
 */
public final class StandaloneElector implements LeaderElector {
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneElector.class);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Backoff FENCED = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10));

    private final OutageLog outage =
            new OutageLog(LOG, "This node cannot get an epoch to lead with", "This node can get an epoch again");
    private final EpochSource epochs;
    private final DutyThread dutyThread;
    private final Backoff retry;
    private final Backoff afterFence;
    private volatile boolean epochsReachable = true;
    /** Used only by the duty thread. */
    private int failures;
    /**
     * Used only by the duty thread. Never reset: a node that was fenced once waits longer each time until it is restarted.
     */
    private int fences;

    public StandaloneElector(EpochSource epochs, LeaderDuty duty) {
        this(epochs, duty, RETRY, FENCED);
    }

    StandaloneElector(EpochSource epochs, LeaderDuty duty, Backoff retry, Backoff afterFence) {
        this.epochs = epochs;
        this.dutyThread = new DutyThread("standalone", duty);
        this.retry = retry;
        this.afterFence = afterFence;
    }

    /** Returns at once. This node leads as soon as it gets an epoch. After {@link #close()} it does nothing. */
    @Override
    public void start() {
        dutyThread.execute(this::contend);
    }

    @Override
    public Role role() {
        if (dutyThread.isActive()) {
            return Role.LEADER;
        }
        return epochsReachable ? Role.STANDBY : Role.DISCONNECTED;
    }

    @Override
    public long epoch() {
        return dutyThread.epoch();
    }

    @Override
    public String name() {
        return "registry";
    }

    /** Always up, because there is no registry that can be down. */
    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("mode", "standalone");
        details.put("role", role().name());
        details.put("epoch", epoch());
        return Health.up(details);
    }

    @Override
    public void close() {
        dutyThread.close(() -> {});
    }

    private void contend() {
        long doubts = dutyThread.doubts();
        OptionalLong next = nextEpoch();
        if (next.isEmpty()) {
            return;
        }
        long epoch = next.getAsLong();
        AtomicBoolean fenced = new AtomicBoolean();
        Runnable onFenced = () -> {
            fenced.set(true);
            dutyThread.execute(() -> standBack(epoch));
        };
        // A term that is given up is followed by one with new threads.
        Runnable givenUp = () -> dutyThread.schedule(this::contend, retry.after(1));
        if (dutyThread.begin(dutyThread.term(epoch, onFenced, givenUp, () -> true), doubts)) {
            failures = 0;
        } else if (!fenced.get()) { // Otherwise the begin threw because of a fence, and standBack() is called.
            failures++;
            dutyThread.schedule(this::contend, retry.after(failures));
        }
    }

    private OptionalLong nextEpoch() {
        try {
            long epoch = epochs.next();
            epochsReachable = true;
            outage.succeeded();
            return OptionalLong.of(epoch);
        } catch (RuntimeException | Error e) {
            epochsReachable = false;
            failures++;
            Duration pause = retry.after(failures);
            outage.failed("next try in " + pause.toMillis() + " ms: " + e);
            dutyThread.schedule(this::contend, pause);
            return OptionalLong.empty();
        }
    }

    private void standBack(long epoch) {
        dutyThread.end();
        fences++;
        Duration pause = afterFence.after(fences);
        LOG.error(
                "Another process with the same queue name took over (epoch {} was fenced). Stop one of the two processes, or"
                        + " run both in master-standby mode. This process waits for {} s before it contends again",
                epoch,
                pause.toSeconds());
        dutyThread.schedule(this::contend, pause);
    }
}
