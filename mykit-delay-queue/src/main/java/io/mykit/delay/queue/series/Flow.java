package io.mykit.delay.queue.series;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The counters of the series, with the metrics from which they come: the sums over all labels. */
enum Flow {
    ACCEPTED(Family.MESSAGES_ACCEPTED),
    REFUSED(Family.MESSAGES_REFUSED),
    CANCELLED(Family.MESSAGES_CANCELLED),
    DELIVERED(Family.MESSAGES_DELIVERED),
    FAILED(Family.ATTEMPTS, "outcome", "failed"),
    DEAD(Family.DEAD),
    EXPIRED(Family.MESSAGES_EXPIRED);

    /** In the order in which a sample has them. */
    static final List<Flow> ALL = List.of(values());

    private final String meter;
    private final String label;
    private final String value;

    Flow(Family family) {
        this(family, null, null);
    }

    /** @param label only the counters with this label and value */
    Flow(Family family, String label, String value) {
        this.meter = family.meter();
        this.label = label;
        this.value = value;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The count since the start of the server; empty if the registry has no such counter. */
    OptionalDouble total(MeterRegistry meters) {
        Collection<Meter> found = label == null
                ? meters.find(meter).meters()
                : meters.find(meter).tag(label, value).meters();
        boolean counted = false;
        double sum = 0;
        for (Meter each : found) {
            if (each instanceof Counter counter) {
                sum += counter.count();
                counted = true;
            } else if (each instanceof FunctionCounter counter) {
                sum += counter.count();
                counted = true;
            }
        }
        return counted ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }
}
