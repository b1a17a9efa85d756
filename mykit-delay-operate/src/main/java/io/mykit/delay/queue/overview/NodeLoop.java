package io.mykit.delay.queue.overview;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.operator.RunningWork;
import io.mykit.delay.queue.operator.Works;
import io.mykit.delay.queue.series.Sampler;
import io.mykit.delay.queue.series.TopicMinutes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Every five seconds: looks at the parts of this node, takes a sample, writes the note of this node, and reads those of the others. Every minute: ends the minute of each topic. Every second: writes the calls that acted on the queue. While work runs that an
 * operator may stop, it writes the note every second, and stops what was asked for. One thread runs it.
 */
final class NodeLoop implements Loop {
    private static final long ROUND_MS = 1_000;
    /** As long as the samples of a node are shown, its name must be known. */
    private static final Duration FORGOTTEN = Duration.ofHours(1);
    /** The steps from one count of the messages in Redis to the next while nobody looks, and from one tidying to the next. */
    private static final int STEPS_BETWEEN = 12;

    private final OwnNode node;
    private final OwnWarnings warnings;
    private final Works board;
    private final Sampler sampler;
    private final TopicMinutes minutes;
    private final ActingCalls calls;
    private final OtherNodes others;
    private final MessageIndex index;
    private final NodeNotes notes;
    private final LongSupplier near;
    private final InstantSource clock;
    private long step = Long.MIN_VALUE;
    private long minute = Long.MIN_VALUE;
    /** Whether a node has started since the last look at the notes. */
    private volatile boolean started;
    /** Whether the channels of this node have changed since its last note. */
    private volatile boolean changed;

    /**
     * @param near the messages in Redis if they were counted just now, else -1
     */
    NodeLoop(
            OwnNode node,
            OwnWarnings warnings,
            Works board,
            Sampler sampler,
            TopicMinutes minutes,
            ActingCalls calls,
            OtherNodes others,
            MessageIndex index,
            LongSupplier near,
            InstantSource clock) {
        this.node = node;
        this.warnings = warnings;
        this.board = board;
        this.sampler = sampler;
        this.minutes = minutes;
        this.calls = calls;
        this.others = others;
        this.index = index;
        this.notes = index.notes();
        this.near = near;
        this.clock = clock;
    }

    @Override
    public Duration runOnce() {
        long now = clock.millis();
        long current = Math.floorDiv(now, Sampler.STEP_MS);
        boolean ends = current != step;
        step = current;
        node.look(ends);
        boolean reachable = node.parts().isUp(Parts.INDEX);
        String sample = ends ? sampler.take(now, near(reachable)) : "";
        if (reachable && (ends || changed || isStoppable())) {
            write(sample, now);
        }
        if (ends || started) {
            started = false;
            others.look();
        }
        endMinute(reachable, now);
        if (reachable) {
            writeCalls();
        }
        return Duration.ofMillis(ROUND_MS - Math.floorMod(clock.millis(), ROUND_MS));
    }

    /** Another node has started: the next round reads its note. */
    void otherStarted() {
        started = true;
    }

    /** An operator gave a topic another channel, and this node uses it: the next round tells the others. */
    void ownChannelsChanged() {
        changed = true;
    }

    private void writeCalls() {
        try {
            calls.write();
        } catch (IndexUnavailableException e) {
            // The next round writes them.
        }
    }

    private void endMinute(boolean reachable, long now) {
        long before = minute;
        minute = Math.floorDiv(now, TopicMinutes.STEP_MS);
        if (before == minute || before == Long.MIN_VALUE) {
            return;
        }
        Map<String, String> samples = minutes.end(now);
        if (reachable) {
            try {
                notes.writeMinutes(node.identity().node(), samples);
            } catch (IndexUnavailableException e) {
                // The index logs it. The charts of other nodes have a gap.
            }
        }
    }

    private void stop(String own) {
        for (String id : notes.stops(own)) {
            WorkId.of(id).filter(work -> work.node().equals(own)).ifPresent(work -> board.stop(work.number()));
        }
    }

    private boolean isStoppable() {
        return board.running().stream().anyMatch(RunningWork::stoppable);
    }

    private long near(boolean reachable) {
        long counted = near.getAsLong();
        if (counted >= 0 || !reachable || !node.leads() || Math.floorMod(step, STEPS_BETWEEN) != 0) {
            return counted;
        }
        try {
            return index.near().pool();
        } catch (IndexUnavailableException e) {
            return -1;
        }
    }

    private void write(String sample, long now) {
        boolean tells = changed;
        changed = false;
        try {
            boolean tidies = !sample.isEmpty() && Math.floorMod(step, STEPS_BETWEEN) == 0;
            if (tidies) {
                warnings.look();
            }
            NodeNote note = node.note();
            notes.write(note.node(), note.text(), sample, tidies ? now - FORGOTTEN.toMillis() : 0);
            if (isStoppable()) {
                stop(note.node());
            }
            if (tells) {
                index.announceTopics();
            }
        } catch (IndexUnavailableException e) {
            // The index logs it. The other nodes see that this note is old.
        }
    }
}
