package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.Unlively;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Asks running nodes whether they live, and keeps the answers that are not a yes. Thread-safe. */
public final class LiveWatch implements AutoCloseable {
    private final List<Unlively> found = new CopyOnWriteArrayList<>();
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
        try {
            Answer live = node.live();
            answer = live.status() == 200 ? "" : live.text();
        } catch (RuntimeException e) {
            answer = e.toString();
        }
        // Where the node was stopped, frozen or started meanwhile, silence is no lie.
        if (!answer.isEmpty() && node.stage() == stage) {
            found.add(new Unlively(node.name(), askedMs, answer));
        }
    }
}
