package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.leader.Fitness;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which parts of the leader's work this node cannot use, as their own health checks say. */
public final class UsableParts implements Fitness {
    private final List<HealthCheck> parts;
    private final Channels channels;

    /** @param parts without which the work is not what it should be; up means usable */
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
