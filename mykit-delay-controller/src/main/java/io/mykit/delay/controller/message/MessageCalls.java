package io.mykit.delay.controller.message;

import io.mykit.delay.access.Access;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.producer.Producers;
import java.util.List;

/** Producers' calls about messages of earlier pushes: look up and cancel; and the body alone, for viewers. */
public final class MessageCalls {
    private final Producers producers;
    private final JobJson json;
    private final Outcomes outcomes;
    private final Bodies bodies;
    private final KeyedCalls keyed;
    private final Workers workers;

    public MessageCalls(
            Producers producers, JobJson json, Outcomes outcomes, Bodies bodies, KeyedCalls keyed, Workers workers) {
        this.producers = producers;
        this.json = json;
        this.outcomes = outcomes;
        this.bodies = bodies;
        this.keyed = keyed;
        this.workers = workers;
    }

    /**
     * @param maxBody the maximum of bytes in a form
     */
    public List<Route> routes(int maxBody) {
        JobHandler job = new JobHandler(producers, json, outcomes, bodies, workers);
        BodyHandler body = new BodyHandler(producers, bodies, workers);
        CancelHandler cancel = new CancelHandler(producers, keyed, workers);
        return List.of(
                new Route(
                        "job",
                        Access.PRODUCERS_AND_VIEWERS,
                        Route.READ,
                        "/job/{id...}",
                        JobHandler.PARAMETERS,
                        maxBody,
                        job),
                new Route(
                        "delete", Access.PRODUCERS, Route.REMOVE, "/delete", CancelHandler.PARAMETERS, maxBody, cancel),
                new Route("body", Access.VIEWERS, Route.READ, "/job/{id}/body", BodyHandler.PARAMETERS, maxBody, body));
    }
}
