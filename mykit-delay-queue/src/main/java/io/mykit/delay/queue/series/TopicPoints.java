package io.mykit.delay.queue.series;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The numbers of one topic in the last hour, by minute and over all nodes. Those of other nodes, and those of this node from before
 * its start, are read from Redis. Thread-safe; blocks.
 */
public final class TopicPoints {
    /** Accepted, delivered, failed. */
    static final int FLOWS = 3;

    private final String node;
    private final TopicMinutes own;
    private final BiFunction<Collection<String>, String, Map<String, List<String>>> reader;

    /**
     * @param node the name of this node
     * @param reader reads the last minutes of a topic from Redis by node, the oldest first
     */
    public TopicPoints(
            String node, TopicMinutes own, BiFunction<Collection<String>, String, Map<String, List<String>>> reader) {
        this.node = node;
        this.own = own;
        this.reader = reader;
    }

    /**
     * The points after a time, the oldest first. A minute without a sample is missing. So is a minute in which a node had no place for
     * the topic and counted an event of such topics.
     *
     * @param nodes the nodes that are known now; empty = only this node can be read
     */
    public Found find(String topic, Collection<String> nodes, long sinceMs, long nowMs) {
        Map<String, List<String>> texts = Map.of();
        Map<String, List<String>> othersTexts = Map.of();
        boolean read = !nodes.isEmpty();
        if (read) {
            try {
                texts = reader.apply(nodes, topic);
                othersTexts = reader.apply(nodes, TopicMinutes.OTHERS);
            } catch (IndexUnavailableException e) {
                texts = Map.of();
                read = false;
            }
        }
        long oldest = Math.max(sinceMs, nowMs - (TopicMinutes.KEPT + 1) * TopicMinutes.STEP_MS);
        List<Counted> all = new ArrayList<>();
        all.add(counted(texts.get(node), othersTexts.get(node), own.samples(topic), own.samples(TopicMinutes.OTHERS)));
        for (String other : texts.keySet()) {
            if (!other.equals(node)) {
                all.add(counted(texts.get(other), othersTexts.get(other), List.of(), List.of()));
            }
        }
        return sum(all, oldest, read);
    }

    private static Counted counted(
            List<String> texts, List<String> othersTexts, List<Sample> samples, List<Sample> othersSamples) {
        return new Counted(byTime(texts, samples), byTime(othersTexts, othersSamples));
    }

    /** The samples in memory replace those that were read. */
    private static NavigableMap<Long, Sample> byTime(List<String> texts, List<Sample> samples) {
        NavigableMap<Long, Sample> all = new TreeMap<>();
        if (texts != null) {
            texts.forEach(text -> SampleText.read(text, FLOWS).ifPresent(sample -> all.put(sample.timeMs(), sample)));
        }
        samples.forEach(sample -> all.put(sample.timeMs(), sample));
        return all;
    }

    private static Found sum(List<Counted> nodes, long oldestMs, boolean read) {
        NavigableSet<Long> times = new TreeSet<>();
        for (Counted each : nodes) {
            times.addAll(each.topic().tailMap(oldestMs, false).keySet());
            times.addAll(each.others().tailMap(oldestMs, false).keySet());
        }
        List<Map<String, Object>> points = new ArrayList<>();
        boolean complete = true;
        for (long time : times) {
            if (nodes.stream().anyMatch(each -> each.isUnknown(time))) {
                complete = false;
                continue;
            }
            Sample sum =
                    new Sample(time, new long[FLOWS], new long[LatenessClasses.COUNT], Sample.UNKNOWN, Sample.UNKNOWN);
            for (Counted each : nodes) {
                Sample counted = each.topic().get(time);
                sum = counted == null ? sum : sum.plus(counted);
            }
            points.add(point(sum));
        }
        return new Found(points, complete, read);
    }

    private static Map<String, Object> point(Sample sample) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("t", sample.timeMs());
        point.put("accepted", sample.flows()[0]);
        point.put("delivered", sample.flows()[1]);
        point.put("failed", sample.flows()[2]);
        point.putAll(sample.lateness());
        return point;
    }

    /**
     * The points of one topic.
     *
     * @param complete whether no minute is missing because more topics had events than there are places
     * @param read whether the other nodes could be read
     */
    public record Found(List<Map<String, Object>> points, boolean complete, boolean read) {}

    /** The minutes of one topic on one node, and those of all topics without a place there. */
    private record Counted(NavigableMap<Long, Sample> topic, NavigableMap<Long, Sample> others) {
        boolean isUnknown(long time) {
            Sample rest = others.get(time);
            return !topic.containsKey(time) && rest != null && !rest.isEmpty();
        }
    }
}
