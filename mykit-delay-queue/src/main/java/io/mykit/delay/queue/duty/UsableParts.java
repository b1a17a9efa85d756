package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.leader.Fitness;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tells which parts of the leader's work this node cannot use, from the health checks of the parts. */
public final class UsableParts implements Fitness {
    private final List<HealthCheck> parts;
    private final Channels channels;

    /** @param parts the health checks of parts that the work needs; up means usable */
    public UsableParts(List<HealthCheck> parts, Channels channels) {
        this.parts = List.copyOf(parts);
        this.channels = channels;
    }

    @Override
    public Set<String> unusable() {
        Set<String> unusable = new TreeSet<>();
        for (HealthCheck part : parts) {
            if (!part.check().up()) {
                unusable.add(part.name());
            }
        }
        channels.down().forEach(channel -> unusable.add("channel " + channel));
        return unusable;
    }
}
