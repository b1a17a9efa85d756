package io.mykit.delay.queue.series;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The numbers of all nodes in the last hour, by time. The samples of other nodes are read from Redis while somebody looks, and kept, so that each is
 * read once. Thread-safe; {@link #refresh} may block.
 */
public final class Series {
    private final String node;
    private final Sampler own;
    private final Function<Map<String, Integer>, Map<String, List<String>>> samples;
    private final Map<String, NavigableMap<Long, Sample>> others = new ConcurrentHashMap<>();

    /**
     * @param node the name of this node
     * @param samples gives the last samples of other nodes, as many as asked for each, the oldest first; may block
     */
    public Series(String node, Sampler own, Function<Map<String, Integer>, Map<String, List<String>>> samples) {
        this.node = node;
        this.own = own;
        this.samples = samples;
    }

    /**
     * Reads the new samples of the other nodes.
     *
     * @param nodes the nodes that are known now
     * @return whether they could be read; if not, the points are those of this node alone
     */
    public boolean refresh(Collection<String> nodes, long nowMs) {
        others.keySet().retainAll(nodes);
        Map<String, Integer> missing = new HashMap<>();
        for (String other : nodes) {
            NavigableMap<Long, Sample> known = others.get(other);
            // The samples of this node from before its last start are read once.
            if (known == null || !other.equals(node)) {
                long since = known == null || known.isEmpty() ? 0 : known.lastKey();
                // One more, because the steps of two nodes do not end together.
                missing.put(other, (int) Math.min(Sampler.KEPT, (nowMs - since) / Sampler.STEP_MS + 1));
            }
        }
        Map<String, List<String>> read;
        try {
            read = missing.isEmpty() ? Map.of() : samples.apply(missing);
        } catch (IndexUnavailableException e) {
            forgetOthers();
            return false;
        }
        read.forEach((other, texts) -> {
            NavigableMap<Long, Sample> all = new TreeMap<>(others.getOrDefault(other, new TreeMap<>()));
            texts.forEach(text ->
                    SampleText.read(text, Flow.ALL.size()).ifPresent(sample -> all.put(sample.timeMs(), sample)));
            while (all.size() > Sampler.KEPT) {
                all.pollFirstEntry();
            }
            if (other.equals(node)) {
                own.samples().stream().findFirst().ifPresent(first -> all.tailMap(first.timeMs())
                        .clear());
            }
            // A map that readers see is never changed.
            others.put(other, all);
        });
        return true;
    }

    /** Forgets the samples of the other nodes, because they cannot be read now. */
    public void forgetOthers() {
        others.clear();
    }

    /**
     * The points after a time, the oldest first. A number that is not known is null, and a step without any sample is missing.
     */
    public List<Map<String, Object>> points(long sinceMs) {
        NavigableMap<Long, Sample> sums = new TreeMap<>();
        for (Sample sample : own.samples()) {
            add(sums, sample, sinceMs);
        }
        for (NavigableMap<Long, Sample> samples : others.values()) {
            samples.values().forEach(sample -> add(sums, sample, sinceMs));
        }
        if (!sums.isEmpty()) {
            sums.headMap(sums.lastKey() - Sampler.KEPT * Sampler.STEP_MS, true).clear();
        }
        List<Map<String, Object>> points = new ArrayList<>(sums.size());
        sums.values().forEach(sample -> points.add(point(sample)));
        return points;
    }

    private static void add(NavigableMap<Long, Sample> sums, Sample sample, long sinceMs) {
        if (sample.timeMs() > sinceMs) {
            sums.merge(sample.timeMs(), sample, Sample::plus);
        }
    }

    private static Map<String, Object> point(Sample sample) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("t", sample.timeMs());
        for (int i = 0; i < Flow.ALL.size(); i++) {
            point.put(Flow.ALL.get(i).word(), Sample.known(sample.flows()[i]));
        }
        point.putAll(sample.lateness());
        point.put("near", Sample.known(sample.near()));
        return point;
    }
}
