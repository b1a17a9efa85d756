package io.mykit.delay.test.bench.rig;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/**
 * A receiver of callbacks on 127.0.0.1, with one event loop. It answers 204 at once, and after a pause to
 * requests for {@link #SLOW}.
 */
public final class WebhookSink implements Sink {
    public static final String SLOW = "/slow";

    private static final long PAUSE_MS = TimeUnit.SECONDS.toMillis(5);
    private static final String DUE_TIME_HEADER = "mykit-delay-due-time";
    private static final String DUE_MICROS_HEADER = "due-micros";
    private static final String ID_HEADER = "mykit-delay-id";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpServer server;
    private volatile Tally tally = new Tally();

    public WebhookSink() {
        server = vertx.createHttpServer()
                .requestHandler(this::take)
                .listen(0, "127.0.0.1")
                .await();
    }

    /** The port. */
    public int port() {
        return server.actualPort();
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void take(HttpServerRequest request) {
        if (request.path().equals(SLOW)) {
            vertx.setTimer(
                    PAUSE_MS, late -> request.response().setStatusCode(204).end());
            return;
        }
        String micros = request.getHeader(DUE_MICROS_HEADER);
        long dueMicros =
                micros == null ? Long.parseLong(request.getHeader(DUE_TIME_HEADER)) * 1000 : Long.parseLong(micros);
        tally.arrived(dueMicros, request.getHeader(ID_HEADER));
        request.response().setStatusCode(204).end();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
