package io.mykit.delay.queue.series;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Takes the samples of this node, and keeps those of the last hour. One thread takes samples; any thread reads them.
 */
public final class Sampler {
    public static final long STEP_MS = 5_000;
    /** The samples of an hour. */
    public static final int KEPT = 720;

    private final MeterRegistry meters;
    private final LatenessClasses lateness;
    /** The counts at the last sample. */
    private final Map<Flow, Double> counted = new EnumMap<>(Flow.class);
    /** Guarded by itself; the oldest first. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    public Sampler(MeterRegistry meters, LatenessClasses lateness) {
        this.meters = meters;
        this.lateness = lateness;
        Flow.ALL.forEach(this::since);
    }

    /**
     * Takes a sample of the time since the last one.
     *
     * @param nowMs the time of the cluster
     * @param near the messages in Redis; -1 = not known
     * @return the sample as text for the other nodes
     */
    public String take(long nowMs, long near) {
        long timeMs = Math.floorDiv(nowMs + STEP_MS / 2, STEP_MS) * STEP_MS;
        long[] flows = Flow.ALL.stream().mapToLong(this::since).toArray();
        Sample sample = new Sample(timeMs, flows, lateness.take(), lateness.takeLongest(), near);
        synchronized (samples) {
            samples.addLast(sample);
            while (samples.size() > KEPT) {
                samples.removeFirst();
            }
        }
        return SampleText.write(sample);
    }

    List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    private long since(Flow flow) {
        OptionalDouble total = flow.total(meters);
        if (total.isEmpty()) {
            return Sample.UNKNOWN;
        }
        Double before = counted.put(flow, total.getAsDouble());
        // The counter of a label may be registered late: its first events belong to this step.
        return Math.round(total.getAsDouble() - (before == null ? 0 : before));
    }
}
