package io.mykit.delay.core;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;

/**
 * The registry behind {@code /metrics}. A scrape leaves out gauges whose value is not known: a {@code NaN} would spoil every sum
 * over several nodes. Calls back at each scrape. Thread-safe.
 */
final class ScrapedRegistry extends PrometheusRegistry {
    private final Runnable onScrape;

    /** @param onScrape called by the thread of each scrape; must not block */
    ScrapedRegistry(Runnable onScrape) {
        this.onScrape = onScrape;
    }

    /** The registry for meters. */
    PrometheusMeterRegistry meters() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, this, Clock.SYSTEM);
    }

    @Override
    public MetricSnapshots scrape() {
        onScrape.run();
        List<MetricSnapshot> known = new ArrayList<>();
        for (MetricSnapshot snapshot : super.scrape()) {
            if (snapshot instanceof GaugeSnapshot gauge) {
                addKnown(gauge, known);
            } else {
                known.add(snapshot);
            }
        }
        return new MetricSnapshots(known);
    }

    private static void addKnown(GaugeSnapshot gauge, List<MetricSnapshot> known) {
        List<GaugeDataPointSnapshot> points = gauge.getDataPoints().stream()
                .filter(point -> !Double.isNaN(point.getValue()))
                .toList();
        if (points.size() == gauge.getDataPoints().size()) {
            known.add(gauge);
        } else if (!points.isEmpty()) {
            known.add(new GaugeSnapshot(gauge.getMetadata(), points));
        }
    }
}
