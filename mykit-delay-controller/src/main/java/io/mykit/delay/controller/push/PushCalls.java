package io.mykit.delay.controller.push;

import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.route.Access;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.intake.PushRules;
import java.util.List;
import java.util.Set;

/** The calls that push messages. */
public final class PushCalls {
    private static final String PUSH = "push";
    private static final String BATCH = "batch";
    /** The names of these calls in the metrics. */
    public static final Set<String> NAMES = Set.of(PUSH, BATCH);

    private final HttpConfig config;
    private final Intake intake;
    private final PushParser parser;
    private final Outcomes outcomes;
    private final JobJson json;
    private final Workers workers;
    private final PushMeters meters;

    /**
     * @param outcomes answers pushes that wait for the end of their messages
     * @param workers the threads that parse batches, which may be large
     * @param meters counts messages
     */
    public PushCalls(
            HttpConfig config,
            Intake intake,
            PushRules rules,
            Outcomes outcomes,
            JobJson json,
            Workers workers,
            PushMeters meters) {
        this.config = config;
        this.intake = intake;
        this.parser = new PushParser(rules, outcomes.maxWait());
        this.outcomes = outcomes;
        this.json = json;
        this.workers = workers;
        this.meters = meters;
    }

    public List<Route> routes() {
        int max = config.maxBodySize();
        BatchHandler batch = new BatchHandler(parser, intake, workers, max, meters);
        return List.of(
                new Route(
                        PUSH,
                        Access.PRODUCERS,
                        Route.POST,
                        "/push",
                        ParameterNames.NONE,
                        max,
                        new PushHandler(parser, intake, outcomes, json, meters)),
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
