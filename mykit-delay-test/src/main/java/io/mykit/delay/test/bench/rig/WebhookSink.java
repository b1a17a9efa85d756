package io.mykit.delay.test.bench.rig;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/**
 * A receiver of callbacks on 127.0.0.1 that answers at once, with 204 unless told otherwise, and one on {@link #SLOW} that answers
 * 204 after a pause.
 */
public final class WebhookSink implements Sink {
    public static final String SLOW = "127.0.0.3";

    private static final int WELL = 204;
    private static final long PAUSE_MS = TimeUnit.SECONDS.toMillis(5);
    private static final String DUE_TIME_HEADER = "mykit-delay-due-time";
    private static final String DUE_MICROS_HEADER = "due-micros";
    private static final String ID_HEADER = "mykit-delay-id";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpServer server;
    private volatile Tally tally = new Tally();
    private volatile int status = WELL;

    public WebhookSink() {
        server = vertx.createHttpServer()
                .requestHandler(this::take)
                .listen(0, "127.0.0.1")
                .await();
        vertx.createHttpServer()
                .requestHandler(this::takeSlowly)
                .listen(server.actualPort(), SLOW)
                .await();
    }

    /** The port. */
    public int port() {
        return server.actualPort();
    }

    /** The address of the receiver that answers at once. */
    public String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    /** The status of all answers from now on, save those of {@link #SLOW}. */
    public void answer(int with) {
        status = with;
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void takeSlowly(HttpServerRequest request) {
        vertx.setTimer(PAUSE_MS, late -> request.response().setStatusCode(WELL).end());
    }

    private void take(HttpServerRequest request) {
        String micros = request.getHeader(DUE_MICROS_HEADER);
        long dueMicros =
                micros == null ? Long.parseLong(request.getHeader(DUE_TIME_HEADER)) * 1000 : Long.parseLong(micros);
        tally.arrived(dueMicros, request.getHeader(ID_HEADER));
        request.response().setStatusCode(status).end();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
