package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.fault.history.Call;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A receiver of callbacks on a port of 127.0.0.1, and so a host of its own. The path {@code /422/2} asks it to answer 422 to
 * the first two attempts of a message and 204 to the later ones, unless a fault decides. One thread breaks it; all may ask.
 */
public final class Receiver implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int ACCEPTED = 204;
    private static final int ERROR = 500;
    private static final int BUSY = 429;
    /** The wish of a busy receiver. */
    private static final int RETRY_AFTER_SECONDS = 2;

    private final Vertx vertx;
    private final int port;
    private final Collection<Call> calls = new ConcurrentLinkedQueue<>();
    private final long pauseMs;
    private volatile State state = State.WELL;
    /** Null while it is dead. */
    private HttpServer server;

    Receiver(Vertx vertx, int port) {
        this(vertx, port, 0);
    }

    /** @param pauseMs before each answer */
    Receiver(Vertx vertx, int port, long pauseMs) {
        this.vertx = vertx;
        this.pauseMs = pauseMs;
        this.port = port;
        restart();
    }

    /** What it answers. */
    public enum State {
        WELL,
        /** It accepts connections and requests, and never answers. */
        FROZEN,
        /** 500. */
        FAILING,
        /** 429 with Retry-After. */
        BUSY
    }

    /** The target of a message whose first attempts get this status. */
    public String url(int status, int attempts) {
        return "http://" + HOST + ":" + port + "/" + status + "/" + attempts;
    }

    /** The requests that it got, in any order. */
    Collection<Call> calls() {
        return calls;
    }

    public void become(State next) {
        state = next;
    }

    /** Connections are closed, and new ones refused. */
    public void kill() {
        server.close().await();
        server = null;
    }

    /** After {@link #kill()}, at the same port. */
    public void restart() {
        server = vertx.createHttpServer()
                .requestHandler(this::take)
                .listen(port, HOST)
                .await();
    }

    @Override
    public void close() {
        if (server != null) {
            kill();
        }
    }

    private void take(HttpServerRequest request) {
        long atMs = System.currentTimeMillis();
        request.body().onSuccess(body -> {
            if (pauseMs == 0) {
                answer(request, body.toString(), atMs);
            } else {
                vertx.setTimer(pauseMs, over -> answer(request, body.toString(), atMs));
            }
        });
    }

    private void answer(HttpServerRequest request, String body, long atMs) {
        State now = state;
        int attempt = Integer.parseInt(request.getHeader("mykit-delay-attempt"));
        int status = status(now, request.path(), attempt);
        int retryAfter = status == BUSY ? RETRY_AFTER_SECONDS : 0;
        calls.add(new Call(
                request.getHeader("mykit-delay-id"),
                request.getHeader("mykit-delay-topic"),
                body,
                Long.parseLong(request.getHeader("mykit-delay-due-time")),
                attempt,
                // The header has whole seconds.
                Math.min(atMs, Long.parseLong(request.getHeader("webhook-timestamp")) * 1000 + 999),
                atMs,
                status,
                retryAfter * 1000L));
        if (status == 0) {
            return;
        }
        if (retryAfter > 0) {
            request.response().putHeader("retry-after", Integer.toString(retryAfter));
        }
        request.response().setStatusCode(status).end();
    }

    private static int status(State state, String path, int attempt) {
        return switch (state) {
            case FROZEN -> 0;
            case FAILING -> ERROR;
            case BUSY -> BUSY;
            case WELL -> {
                String[] asked = path.split("/", -1);
                yield attempt <= Integer.parseInt(asked[2]) ? Integer.parseInt(asked[1]) : ACCEPTED;
            }
        };
    }
}
