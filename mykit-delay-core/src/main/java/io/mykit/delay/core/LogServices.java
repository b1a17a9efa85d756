package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.LogConfig;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.core.log.ProcessLog;

/** The parts of the log that the HTTP interface uses. Stateless. */
final class LogServices {
    private LogServices() {}

    /** Starts them; the stack closes them. */
    static Logging start(
            ServiceStack services, ProcessLog log, LogConfig config, ClusterClock clock, MeterRegistry meters) {
        RequestLog requests = services.start(new RequestLog(config.requests(), meters));
        return new Logging(requests, services.opened(log.levels(clock)));
    }
}
