package io.mykit.delay.core;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfiguredTopics;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.queue.cancel.CountedCancels;
import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.census.PartCensus;
import io.mykit.delay.queue.census.QueueCensus;
import io.mykit.delay.queue.census.ScrapeWatch;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.duty.LoopMeters;
import io.mykit.delay.queue.duty.LoopWatch;
import io.mykit.delay.queue.leader.CountedDuty;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.recovery.Recovery;
import java.time.Duration;

/** The metrics of this node as a whole: its build, process, clock, role and parts, and the counts of its queue if it leads. */
final class NodeMeters implements Service {
    private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final String version;
    private final ClusterClock clock;
    private final ScrapeWatch scrapes = new ScrapeWatch();
    private final PrometheusMeterRegistry meters = new ScrapedRegistry(scrapes::scraped).meters();
    private final ProcessMeters process = new ProcessMeters(meters);

    NodeMeters(String version, ClusterClock clock) {
        this.version = version;
        this.clock = clock;
    }

    @Override
    public void start() {
        process.start();
        ClockMeters.register(clock, meters);
        Family.BUILD_INFO.gauge(meters, this, node -> 1, version, System.getProperty("java.version"));
    }

    PrometheusMeterRegistry registry() {
        return meters;
    }

    DispatchMeters ofDeliveries(DeliveryConfig config, Channels channels) {
        return new DispatchMeters(meters, ConfiguredTopics.of(config), channels.names());
    }

    LeaderDuty counted(LeaderDuty duty) {
        return new CountedDuty(duty, meters);
    }

    CountedCancels counted(MessageCanceller canceller) {
        return new CountedCancels(canceller, meters);
    }

    LoopWatch watched(LoopWatch loops) {
        LoopMeters.register(loops, meters);
        return loops;
    }

    /** Starts the loops that look while metrics are scraped; the stack closes them. */
    void watch(
            ServiceStack services, Recovery queued, Channels channels, LeaderElector elector, DeliveryConfig config) {
        PartCensus parts = new PartCensus(queued.store(), channels, elector, scrapes);
        QueueCensus queue = new QueueCensus(
                queued.store(), queued.index(), queued.clock(), elector, scrapes, ConfiguredTopics.of(config));
        parts.register(meters);
        queue.register(meters);
        LoopRunner first = services.start(new LoopRunner("part-census", parts, PAUSE));
        LoopRunner second = services.start(new LoopRunner("queue-census", queue, PAUSE));
        scrapes.onFirst(() -> {
            first.wake();
            second.wake();
        });
    }

    @Override
    public void close() {
        process.close();
    }
}
