package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.LoopRunner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which loops do not run: the only definition of it. A loop does not run if its thread has died, or if it showed no sign
 * of life in so many looks.
 *
 * <p>Looks are counted, and not seconds. So a process that was frozen, or whose machine was suspended or has no processor for it, finds no
 * loop silent: it did not look either. While a part is away on which rounds wait, no loop with a living thread becomes silent.
 *
 * <p>One thread looks; any thread asks.
 */
final class Silences {
    private static final Seen NEW = new Seen(-1, 0, false);
    /** A loop that is silent for this share of the bound is a reason to ask the parts. */
    private static final int SUSPICIOUS = 3;

    private final int bound;
    private final List<HealthCheck> parts;
    /** By the identity of the loop: each term has new ones. */
    private volatile Map<LoopRunner, Seen> seen = Map.of();

    /**
     * @param bound the looks without a sign of life after which a loop does not run
     * @param parts the parts on which rounds may wait for long
     */
    Silences(int bound, List<HealthCheck> parts) {
        this.bound = bound;
        this.parts = List.copyOf(parts);
    }

    /** Looks at all loops. Blocks as long as a check of a part, if a loop is suspicious. */
    void look(List<LoopRunner> loops) {
        Map<LoopRunner, Seen> before = seen;
        Map<LoopRunner, Seen> after = new HashMap<>();
        boolean suspicious = false;
        for (LoopRunner loop : loops) {
            Seen next = before.getOrDefault(loop, NEW).next(loop.ticks());
            suspicious |= next.waits() || next.looks() >= bound / SUSPICIOUS;
            after.put(loop, next);
        }
        if (suspicious) {
            boolean away = parts.stream().anyMatch(part -> !part.check().up());
            after.replaceAll((loop, now) -> now.waiting(away && loop.isAlive()));
        }
        seen = after;
    }

    boolean runs(LoopRunner loop) {
        return loop.isAlive() && looks(loop) < bound;
    }

    /** The looks since the last sign of life. */
    int looks(LoopRunner loop) {
        return seen.getOrDefault(loop, NEW).looks();
    }

    /** @param waits whether the loop was silent while a part was away; then the part is asked at each look */
    private record Seen(long ticks, int looks, boolean waits) {
        Seen next(long ticksNow) {
            return ticksNow == ticks ? new Seen(ticks, looks + 1, waits) : new Seen(ticksNow, 0, false);
        }

        Seen waiting(boolean forAPart) {
            return new Seen(ticks, forAPart ? 0 : looks, forAPart);
        }
    }
}
