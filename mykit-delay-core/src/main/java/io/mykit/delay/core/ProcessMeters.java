package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.mykit.delay.common.lifecycle.Service;

/** The meters of this process: memory, threads, garbage collection, CPU, files and start time. */
final class ProcessMeters implements Service {
    private final MeterRegistry meters;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    ProcessMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void start() {
        collections.bindTo(meters);
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new FileDescriptorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
    }

    @Override
    public void close() {
        collections.close();
    }
}
