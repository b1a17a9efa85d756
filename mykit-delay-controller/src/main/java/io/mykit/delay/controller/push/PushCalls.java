package io.mykit.delay.controller.push;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.producer.Producers;
import java.util.List;
import java.util.Set;

/** The calls that push messages. */
public final class PushCalls {
    private static final String PUSH = "push";
    private static final String BATCH = "batch";
    /** The names of these calls in the metrics. */
    public static final Set<String> NAMES = Set.of(PUSH, BATCH);

    private final HttpConfig config;
    private final Producers producers;
    private final PushParser parser;
    private final Outcomes outcomes;
    private final JobJson json;
    private final Workers workers;
    private final CallLimits limits;

    /**
     * @param outcomes answers pushes that wait for the end of their messages
     * @param workers the threads that parse batches, which may be large
     */
    public PushCalls(
            HttpConfig config,
            Producers producers,
            Outcomes outcomes,
            JobJson json,
            Workers workers,
            CallLimits limits) {
        this.config = config;
        this.producers = producers;
        this.parser = new PushParser(producers.rules(), outcomes.maxWait());
        this.outcomes = outcomes;
        this.json = json;
        this.workers = workers;
        this.limits = limits;
    }

    public List<Route> routes() {
        int max = config.maxBodySize();
        BatchHandler batch = new BatchHandler(parser, producers, workers, max, limits);
        return List.of(
                new Route(
                        PUSH,
                        Access.PRODUCERS,
                        Route.POST,
                        "/push",
                        ParameterNames.NONE,
                        max,
                        new PushHandler(parser, producers, outcomes, json, limits)),
                new Route(
                        BATCH,
                        Access.PRODUCERS,
                        Route.POST,
                        "/push/batch",
                        ParameterNames.NONE,
                        config.maxBatchSize(),
                        batch));
    }
}
