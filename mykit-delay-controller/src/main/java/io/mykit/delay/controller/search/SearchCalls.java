package io.mykit.delay.controller.search;

import io.mykit.delay.access.Access;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.producer.Producers;
import java.time.InstantSource;
import java.util.List;

/** The calls that find and count messages, and the one that moves their due times. */
public final class SearchCalls {
    private final QueueView view;
    private final Producers producers;
    private final InstantSource clock;
    private final KeyedCalls keyed;
    private final Workers workers;

    /** @param clock the clock of the cluster */
    public SearchCalls(QueueView view, Producers producers, InstantSource clock, KeyedCalls keyed, Workers workers) {
        this.view = view;
        this.producers = producers;
        this.clock = clock;
        this.keyed = keyed;
        this.workers = workers;
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        SearchHandler search = new SearchHandler(view::search, producers::channel, workers);
        RescheduleHandler reschedule = new RescheduleHandler(producers, clock, keyed, workers);
        DueHandler due = new DueHandler(view::due, clock);
        return List.of(
                new Route("due", Access.VIEWERS, Route.READ, "/due", DueHandler.PARAMETERS, maxBody, due),
                new Route(
                        "messages", Access.KNOWN_BY_KEY, Route.READ, "/messages", SearchFields.NAMES, maxBody, search),
                new Route(
                        "reschedule",
                        Access.PRODUCERS,
                        Route.POST,
                        "/reschedule",
                        ParameterNames.NONE,
                        maxBody,
                        reschedule));
    }
}
