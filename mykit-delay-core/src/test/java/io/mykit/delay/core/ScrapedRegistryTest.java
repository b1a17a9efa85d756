package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.metric.Kind;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScrapedRegistryTest {
    private final AtomicInteger scrapes = new AtomicInteger();
    private final PrometheusMeterRegistry meters = new ScrapedRegistry(scrapes::incrementAndGet).meters();

    @Test
    void leavesOutGaugesThatAreNotKnown() {
        Family.MESSAGES_NEAR.gauge(meters, this, any -> Double.NaN, "pool");
        Family.MESSAGES_NEAR.gauge(meters, this, any -> 7, "leased");
        Family.LEADER_EPOCH.gauge(meters, this, any -> Double.NaN);
        assertThat(meters.scrape())
                .contains("mykit_delay_messages_near{place=\"leased\"} 7")
                .doesNotContain("pool")
                .doesNotContain("leader_epoch")
                .doesNotContain("NaN");
    }

    @Test
    void tellsOfEachScrape() {
        meters.scrape();
        meters.scrape();
        assertThat(scrapes).hasValue(2);
    }

    /** The scrape has the name that the family promises, its type and its help text. */
    @ParameterizedTest
    @EnumSource(Family.class)
    void exportsEachFamilyByItsName(Family family) {
        String[] values = family.labels().stream().map(label -> "some").toArray(String[]::new);
        switch (family.kind().type()) {
            case "counter" -> family.counter(meters, values);
            case "gauge" -> family.gauge(meters, this, any -> 1, values);
            default -> {
                if (family.kind() == Kind.BATCH) {
                    family.summary(meters, values);
                } else {
                    family.timer(meters, values);
                }
            }
        }
        assertThat(meters.scrape())
                .contains("# TYPE " + family.exported() + " " + family.kind().type() + "\n")
                .contains("# HELP " + family.exported() + " " + family.help() + "\n");
    }
}
