package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.Unlively;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Asks running nodes whether they live, and keeps what would make a supervisor kill them: an answer that is not a yes, and, as in
 * {@code deploy/kubernetes}, three times in a row no answer. Thread-safe.
 */
public final class LiveWatch implements AutoCloseable {
    private static final int SILENCES = 3;

    private final List<Unlively> found = new CopyOnWriteArrayList<>();
    private final Map<Node, Integer> silences = new ConcurrentHashMap<>();
    private final List<Sampler> samplers;

    /** Begins at once. */
    public LiveWatch(Rig rig) {
        samplers = rig.nodes().stream()
                .map(node -> new Sampler("live-" + node.name(), Duration.ofMillis(500), () -> look(node)))
                .toList();
    }

    public List<Unlively> found() {
        return List.copyOf(found);
    }

    @Override
    public void close() {
        samplers.forEach(Sampler::close);
    }

    private void look(Node node) {
        int stage = node.stage();
        if (!node.runs()) {
            return;
        }
        long askedMs = System.currentTimeMillis();
        String answer;
        boolean silent = false;
        try {
            Answer live = node.live();
            answer = live.status() == 200 ? "" : live.text();
        } catch (RuntimeException e) {
            answer = e.toString();
            silent = true;
        }
        // Where the node was stopped, frozen or started meanwhile, silence is no lie.
        if (answer.isEmpty() || node.stage() != stage) {
            silences.remove(node);
        } else if (!silent || silences.merge(node, 1, Integer::sum) >= SILENCES) {
            found.add(new Unlively(node.name(), askedMs, answer));
        }
    }
}
