package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether every loop of this node runs. A standby has only the loops that every node has. If a loop of the term does not run,
 * the term is given up, and the next one has new threads. A dead loop of the node is beyond repair, and so is any loop that did not run for
 * three times as long: then only a new process helps. Thread-safe.
 */
public final class LoopWatch implements HealthCheck, Loop, Service {
    private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Backoff AFTER_DEFECT = new Backoff(ROUND, ROUND);
    /** A term that is given up ends within about half a minute. */
    private static final int BEYOND_REPAIR = 3;
    /** The rounds after which the process ends by itself. A supervisor that asks for health is quicker. */
    private static final int HOPELESS = 60;

    private final DeliveryDuty duty;
    private final Supplier<List<LoopRunner>> always;
    private final int bound;
    private final Silences silences;
    private final Consumer<List<String>> hopeless;
    private final LoopRunner runner = new LoopRunner("loop-watch", this, AFTER_DEFECT);
    private int rounds;

    /**
     * @param always the loops that should be running on a leader and on a standby now
     * @param longestRound longer than any round takes while the parts answer slowly; {@link LoopRunner#STUCK} at least is used
     * @param parts the parts on which rounds may wait for longer
     * @param hopeless receives the loops that are beyond repair, once
     */
    public LoopWatch(
            DeliveryDuty duty,
            Supplier<List<LoopRunner>> always,
            Duration longestRound,
            List<HealthCheck> parts,
            Consumer<List<String>> hopeless) {
        this.duty = duty;
        this.always = always;
        this.bound = (int) Math.max(LoopRunner.STUCK.toSeconds(), longestRound.toSeconds());
        this.silences = new Silences(bound, parts);
        this.hopeless = hopeless;
    }

    @Override
    public void start() {
        runner.start();
    }

    @Override
    public void close() {
        runner.close();
    }

    @Override
    public Duration runOnce() {
        silences.look(loops());
        // The next term may begin at any moment, so this is about the work that was looked at.
        TermWork work = duty.current();
        List<String> dead = work == null ? List.of() : names(work.loops(), loop -> !silences.runs(loop));
        if (!dead.isEmpty()) {
            work.giveUp("the loops " + dead + " do not run");
        }
        List<String> lost = beyondRepair();
        rounds = lost.isEmpty() ? 0 : rounds + 1;
        if (rounds == 1) {
            LOG.error("The loops {} do not run, and only a restart of this node brings them back", lost);
        } else if (rounds == HOPELESS) {
            hopeless.accept(lost);
        }
        return ROUND;
    }

    @Override
    public String name() {
        return "loops";
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    @Override
    public Health check() {
        boolean up = true;
        Map<String, Object> details = new LinkedHashMap<>();
        for (LoopRunner loop : loops()) {
            boolean alive = silences.runs(loop);
            up &= alive;
            details.put(
                    loop.name(),
                    Map.of("alive", alive, "lastTickMs", loop.sinceLastTick().toMillis(), "failures", loop.failures()));
        }
        return new Health(up, details);
    }

    @Override
    public List<String> beyondRepair() {
        List<String> names = new ArrayList<>(names(always.get(), loop -> !loop.isAlive() || isSilentForLong(loop)));
        names.addAll(names(ofTerm(), this::isSilentForLong));
        return names;
    }

    /** The loops that should be running on this node now. */
    List<LoopRunner> loops() {
        List<LoopRunner> loops = new ArrayList<>(always.get());
        loops.addAll(ofTerm());
        return loops;
    }

    private List<LoopRunner> ofTerm() {
        TermWork work = duty.current();
        return work == null ? List.of() : work.loops();
    }

    private boolean isSilentForLong(LoopRunner loop) {
        return silences.looks(loop) >= BEYOND_REPAIR * bound;
    }

    private static List<String> names(List<LoopRunner> loops, Predicate<LoopRunner> wanted) {
        return List.copyOf(new TreeSet<>(
                loops.stream().filter(wanted).map(LoopRunner::name).toList()));
    }
}
