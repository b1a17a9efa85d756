package io.mykit.delay.ports.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Reads the body of one request. A body that is too large is read to its end, up to a bound, so that the client sees the answer and no broken
 * connection. Used on the event loop of the request.
 */
final class Incoming {
    /** The bytes beyond the limit that are read and dropped. */
    private static final long MAX_DROPPED = 4L << 20;

    private static final long NO_TIMER = -1;

    private final HttpServerRequest request;
    private final ByteBudget budget;
    private final int limit;
    private final Vertx vertx;
    private final Consumer<Body> then;
    private Buffer body = Buffer.buffer();
    private State state = State.WHOLE;
    private long dropped;
    private long timer = NO_TIMER;
    private boolean over;

    /** @param then gets the body, whose bytes count until it gives them back */
    Incoming(HttpServerRequest request, Vertx vertx, ByteBudget budget, int limit, Consumer<Body> then) {
        this.request = request;
        this.vertx = vertx;
        this.budget = budget;
        this.limit = limit;
        this.then = then;
    }

    /** What became of a body. */
    enum State {
        WHOLE,
        TOO_LARGE,
        /** All requests together are too large. */
        REFUSED,
        TOO_SLOW
    }

    /**
     * A body that was read.
     *
     * @param cutOff whether bytes may follow that were not read
     */
    @SuppressWarnings("ArrayRecordComponent") // No code changes or compares the bytes.
    record Body(State state, byte[] bytes, boolean cutOff) {}

    void read(Duration bound) {
        long declared = declaredLength();
        boolean waits = request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true);
        if (declared > limit) {
            state = State.TOO_LARGE;
            if (waits || declared > limit + MAX_DROPPED) {
                end(true);
                return;
            }
        }
        timer = vertx.setTimer(bound.toMillis(), late -> {
            timer = NO_TIMER;
            state = State.TOO_SLOW;
            end(true);
        });
        request.handler(this::chunk);
        request.endHandler(end -> end(false));
        request.exceptionHandler(gone -> {
            if (leave()) {
                drop();
            }
        });
        if (waits) {
            var unused = request.response().writeContinue();
        }
    }

    /** Whether the request has no body. */
    static boolean isEmpty(HttpServerRequest request) {
        return !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)
                        || request.getHeader(HttpHeaders.CONTENT_LENGTH).strip().equals("0"));
    }

    private void chunk(Buffer chunk) {
        if (over) {
            return;
        }
        if (state == State.WHOLE && body.length() + (long) chunk.length() > limit) {
            drop();
            state = State.TOO_LARGE;
        } else if (state == State.WHOLE && !budget.take(chunk.length())) {
            drop();
            state = State.REFUSED;
        }
        if (state == State.WHOLE) {
            body.appendBuffer(chunk);
            return;
        }
        dropped += chunk.length();
        if (dropped > limit + MAX_DROPPED) {
            end(true);
        }
    }

    private void end(boolean cutOff) {
        if (leave()) {
            byte[] bytes = state == State.WHOLE ? body.getBytes() : new byte[0];
            if (state != State.WHOLE) {
                drop();
            }
            then.accept(new Body(state, bytes, cutOff));
        }
    }

    private boolean leave() {
        if (over) {
            return false;
        }
        over = true;
        if (timer != NO_TIMER) {
            vertx.cancelTimer(timer);
        }
        return true;
    }

    private void drop() {
        budget.giveBack(body.length());
        body = Buffer.buffer();
    }

    /** The decoder has refused what is no number. */
    private long declaredLength() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? 0 : Long.parseLong(length.strip());
    }
}
