package io.mykit.delay.queue.series;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of single topics on this node, and keeps those of the last hour by minute. The topics of the configuration have a
 * place, and each further topic takes one with its first event until {@value #PLACES} are taken. A topic without an event for an hour
 * gives its place back. So the memory is bounded, however many topics there are: 100 places take at most 3 MB.
 *
 * <p>Any thread counts and reads; one thread ends the minutes.
 */
public final class TopicMinutes {
    public static final long STEP_MS = 60_000;
    /** The samples of an hour. */
    public static final int KEPT = 60;

    public static final int PLACES = 100;
    /** The name of the place that counts the events of all topics without a place. No topic has it. */
    static final String OTHERS = "";

    private final ConcurrentMap<String, Place> places = new ConcurrentHashMap<>();
    private final Place others = new Place(true);

    /** @param topics the topics that the configuration names; the first ones have a place for ever */
    public TopicMinutes(Collection<String> topics) {
        topics.stream().limit(PLACES).forEach(topic -> places.put(topic, new Place(true)));
    }

    /** Counts a new message that was stored. */
    public void accepted(String topic) {
        place(topic).accepted.increment();
    }

    /** Counts messages that were confirmed. */
    public void delivered(String topic, int messages) {
        place(topic).delivered.add(messages);
    }

    /** Records the lateness of a message that was delivered. */
    public void late(String topic, long lateMs) {
        place(topic).lateness.record(lateMs);
    }

    /** Counts an attempt that failed. */
    public void failed(String topic) {
        place(topic).failed.increment();
    }

    private Place place(String topic) {
        Place own = places.get(topic);
        if (own != null) {
            return own;
        }
        // Two topics may take the last place together. One place more does no harm.
        return places.size() >= PLACES ? others : places.computeIfAbsent(topic, name -> new Place(false));
    }

    /**
     * Ends a minute.
     *
     * @param nowMs the time of the cluster, soon after the end of the minute
     * @return the samples of the minute as texts for the other nodes, by topic; the last one is of all topics without a place
     */
    public Map<String, String> end(long nowMs) {
        long timeMs = Math.floorDiv(nowMs, STEP_MS) * STEP_MS;
        Map<String, String> texts = new HashMap<>();
        texts.put(OTHERS, SampleText.write(others.end(timeMs)));
        places.forEach((topic, place) -> {
            Sample sample = place.end(timeMs);
            if (place.isUnused()) {
                // An event at this very moment is lost for the chart.
                places.remove(topic, place);
            } else {
                texts.put(topic, SampleText.write(sample));
            }
        });
        return texts;
    }

    /** The minutes of a topic on this node, the oldest first; empty if the topic has no place. */
    List<Sample> samples(String topic) {
        Place place = topic.equals(OTHERS) ? others : places.get(topic);
        return place == null ? List.of() : place.samples();
    }

    /** The counters of one topic. */
    private static final class Place {
        /** The accepted, delivered and failed of a minute. */
        private static final long[] NOTHING = new long[TopicPoints.FLOWS];

        private static final long[] NO_CLASSES = new long[LatenessClasses.COUNT];

        private final LongAdder accepted = new LongAdder();
        private final LongAdder delivered = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LatenessClasses lateness = new LatenessClasses();
        private final boolean kept;
        /** The oldest first. Guarded by this. */
        private final Deque<Sample> samples = new ArrayDeque<>();
        /** The minutes without an event since the last one. */
        private int idle;

        Place(boolean kept) {
            this.kept = kept;
        }

        synchronized Sample end(long timeMs) {
            long[] flows = {accepted.sumThenReset(), delivered.sumThenReset(), failed.sumThenReset()};
            long[] classes = lateness.take();
            long longest = lateness.takeLongest();
            boolean empty = flows[0] + flows[1] + flows[2] == 0 && longest < 0;
            idle = empty ? idle + 1 : 0;
            Sample sample = empty
                    ? new Sample(timeMs, NOTHING, NO_CLASSES, longest, Sample.UNKNOWN)
                    : new Sample(timeMs, flows, classes, longest, Sample.UNKNOWN);
            samples.addLast(sample);
            if (samples.size() > KEPT) {
                samples.removeFirst();
            }
            return sample;
        }

        synchronized boolean isUnused() {
            return !kept && idle >= KEPT;
        }

        synchronized List<Sample> samples() {
            return List.copyOf(samples);
        }
    }
}
