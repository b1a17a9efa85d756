package io.mykit.delay.core;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.queue.census.ScrapeWatch;
import io.mykit.delay.queue.metric.Family;

/** The registry of this node's metrics, and those of its build, process and clock. */
final class NodeMeters implements Service {
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

    /** Tells whether the metrics are read. */
    ScrapeWatch scrapes() {
        return scrapes;
    }

    @Override
    public void close() {
        process.close();
    }
}
