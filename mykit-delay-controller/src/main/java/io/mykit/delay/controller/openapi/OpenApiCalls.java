package io.mykit.delay.controller.openapi;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.route.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The call that answers the description of all calls. */
public final class OpenApiCalls {
    /**
     * @param maxBody the maximum of bytes in a body, which is not read
     */
    public List<Route> routes(int maxBody) {
        return List.of(new Route(
                "openapi",
                Access.EVERYBODY,
                Route.READ,
                "/openapi.json",
                ParameterNames.IGNORED,
                maxBody,
                call -> CompletableFuture.completedFuture(OpenApiDocument.reply(call))));
    }
}
