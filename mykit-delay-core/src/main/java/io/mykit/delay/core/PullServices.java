package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.config.PullConfig;
import io.mykit.delay.queue.outcome.OutcomeWatch;
import io.mykit.delay.queue.pull.Pull;
import io.mykit.delay.queue.pull.PullCensus;
import io.mykit.delay.queue.pull.PullMeters;
import io.mykit.delay.queue.pull.PullParts;
import io.mykit.delay.queue.pull.PullSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The services of this node for consumers that pull, and for requests that wait. */
record PullServices(Pull pull, PullSettings settings, PullCensus census, OutcomeWatch outcomes) {
    private static final Backoff CENSUS_PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    /** Starts them; the stack closes them. */
    static PullServices start(ServiceStack services, PullParts parts, PullConfig config, MeterRegistry meters) {
        PullSettings settings = PullSettings.of(config);
        Pull pull = services.start(parts.pull(settings, new PullMeters(meters)));
        PullCensus census =
                new PullCensus(parts.index().holds(), parts.pulled(), parts.clock(), settings.warnReady(), meters);
        services.start(new LoopRunner("pull-census", census, CENSUS_PAUSE));
        OutcomeWatch outcomes = services.start(new OutcomeWatch(parts.store(), settings.maxWaiting(), meters));
        return new PullServices(pull, settings, census, outcomes);
    }

    /** These loops and those of the services. */
    List<LoopRunner> loopsWith(List<LoopRunner> intake, LoopRunner paused) {
        return Stream.of(intake, List.of(paused), pull.loops(), List.of(outcomes.loop()))
                .flatMap(List::stream)
                .toList();
    }
}
