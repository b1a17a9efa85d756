package io.mykit.delay.test.bench.rig;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A receiver of callbacks on 127.0.0.1 that answers at once, with 204 unless told otherwise, and one on {@link #SLOW} that answers
 * 204 after a pause.
 */
public final class WebhookSink implements Sink {
    public static final String SLOW = "127.0.0.3";

    private static final int WELL = 204;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final String DUE_TIME_HEADER = "mykit-delay-due-time";
    private static final String DUE_MICROS_HEADER = "due-micros";
    private static final String ID_HEADER = "mykit-delay-id";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpServer server;
    private volatile Tally tally = new Tally();
    private volatile int status = WELL;
    private final AtomicLong slowly = new AtomicLong();
    private final long pauseMs;

    public WebhookSink() {
        this(PAUSE);
    }

    /** @param pause until the slow receiver answers */
    public WebhookSink(Duration pause) {
        pauseMs = pause.toMillis();
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

    /** The address of the receiver that answers after a pause. */
    public String slowUrl() {
        return "http://" + SLOW + ":" + port() + "/";
    }

    /** How many requests the slow receiver has answered. */
    public long answeredSlowly() {
        return slowly.get();
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
        vertx.setTimer(pauseMs, late -> {
            slowly.incrementAndGet();
            request.response().setStatusCode(WELL).end();
        });
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
