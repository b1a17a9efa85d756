package io.mykit.delay.controller.console;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The pages for operators: {@code GET /console/} and the files below it. */
public final class ConsoleCalls {
    private static final String NAME = "page";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final ConsoleHandler handler;

    /**
     * @param assets finds a file by its path below {@code /console/}; the empty path is the page
     */
    public ConsoleCalls(Function<String, Optional<Asset>> assets) {
        this.handler = new ConsoleHandler(assets);
    }

    /**
     * @param maxBody the maximum of bytes in a body, which is not read
     */
    public List<Route> routes(int maxBody) {
        return List.of(
                route("/", maxBody, call -> toFolder(302)),
                route("/console", maxBody, call -> toFolder(308)),
                route("/console/{path...}", maxBody, handler));
    }

    private static Route route(String path, int maxBody, CallHandler handler) {
        return new Route(NAME, Access.EVERYBODY, Route.READ, path, ParameterNames.IGNORED, maxBody, handler);
    }

    /** The links of the page are relative to its folder. The address is relative too, for proxies that add a prefix. */
    private static CompletableFuture<Reply> toFolder(int status) {
        return CompletableFuture.completedFuture(
                new Reply(status, TEXT, Buffer.buffer(), Map.of("Location", "console/")));
    }
}
