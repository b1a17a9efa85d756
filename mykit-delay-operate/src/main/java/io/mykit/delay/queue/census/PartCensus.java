package io.mykit.delay.queue.census;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.util.Set;

/**
 * Asks the database and the channels whether they can be used, for metrics. The answers of other parts are known without a
 * question. One thread runs the loop; any thread may read.
 */
public final class PartCensus implements Loop {
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final HealthCheck store;
    private final Channels channels;
    private final LeaderElector elector;
    private final ScrapeWatch scrapes;
    private volatile Found last = new Found(Double.NaN, null);

    public PartCensus(HealthCheck store, Channels channels, LeaderElector elector, ScrapeWatch scrapes) {
        this.store = store;
        this.channels = channels;
        this.elector = elector;
        this.scrapes = scrapes;
    }

    /** Registers the metrics of the node's role and of these parts. */
    public void register(MeterRegistry meters) {
        Family.LEADER.gauge(meters, this, census -> census.leads() ? 1 : 0);
        Family.LEADER_EPOCH.gauge(meters, this, census -> census.leads() ? census.elector.epoch() : Double.NaN);
        Family.REGISTRY_UP.gauge(
                meters, this, census -> census.elector.role() == LeaderElector.Role.DISCONNECTED ? 0 : 1);
        Family.STORE_UP.gauge(meters, this, census -> census.last.store());
        for (String channel : channels.names()) {
            Family.CHANNEL_UP.gauge(meters, this, census -> census.channel(channel), channel);
        }
    }

    @Override
    public Duration runOnce() {
        if (scrapes.areGoingOn()) {
            last = new Found(store.check().up() ? 1 : 0, leads() ? channels.down() : null);
        }
        return INTERVAL;
    }

    private boolean leads() {
        return elector.role() == LeaderElector.Role.LEADER;
    }

    private double channel(String name) {
        Set<String> down = last.down();
        return down == null || !leads() ? Double.NaN : down.contains(name) ? 0 : 1;
    }

    /** @param down the channels that are down; null = not asked, because this node does not lead */
    private record Found(double store, Set<String> down) {}
}
