package io.mykit.delay.controller.search;

import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.route.Access;
import io.mykit.delay.controller.route.Route;
import java.util.List;

/** The calls that find and count messages, and the one that moves their due times. */
public final class SearchCalls {
    private final SearchParts parts;
    private final KeyedCalls keyed;
    private final Workers workers;

    public SearchCalls(SearchParts parts, KeyedCalls keyed, Workers workers) {
        this.parts = parts;
        this.keyed = keyed;
        this.workers = workers;
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        SearchHandler search = new SearchHandler(parts.search(), workers);
        RescheduleHandler reschedule = new RescheduleHandler(parts, keyed, workers);
        DueHandler due = new DueHandler(parts.due(), parts.clock());
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
