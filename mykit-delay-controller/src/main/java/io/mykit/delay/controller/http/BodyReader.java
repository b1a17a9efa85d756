package io.mykit.delay.controller.http;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * Reads the body of one request within a size and a time. Used on the request's event loop only.
 *
 * <p>If a request is refused early, this class first discards its body and then answers. The close of a connection with
 * unread bytes would reset it, and the client would see the reset and not the answer. The discarded bytes are bounded: a
 * client that sends more gets the answer, and its connection is closed.
 */
final class BodyReader implements BodyDeadlines.Reading {
    /** The bytes beyond the limit that are discarded for a clean answer. */
    private static final long MAX_DISCARDED = 4L << 20;

    private static final Buffer NOTHING = Buffer.buffer();

    private final HttpServerRequest request;
    private final BodyDeadlines deadlines;
    private final BodyBudget budget;
    private final Replies replies;

    private Consumer<Buffer> accept;
    private Reply refusal;
    private Buffer body = NOTHING;
    private int chunks;
    private long limit;
    private long discarded;
    private long startedNanos;
    private boolean waiting;
    private boolean over;

    BodyReader(HttpServerRequest request, BodyDeadlines deadlines, BodyBudget budget, Replies replies) {
        this.request = request;
        this.deadlines = deadlines;
        this.budget = budget;
        this.replies = replies;
    }

    /** Reads a body of at most this many bytes; the receiver gives them back to the budget. */
    void read(int maxBytes, Consumer<Buffer> whenRead) {
        accept = whenRead;
        limit = maxBytes;
        if (declaredLength() > limit) {
            refusal = tooLarge();
        }
        start();
    }

    /** Discards the body and then answers. */
    void refuse(Reply reply) {
        refusal = reply;
        start();
    }

    private void start() {
        if (!hasBody()) {
            finish(false);
            return;
        }
        boolean waitsForPermission = request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true);
        if (waitsForPermission && refusal != null) {
            finish(true);
            return;
        }
        startedNanos = System.nanoTime();
        waiting = true;
        deadlines.add(this);
        request.handler(this::chunk);
        request.endHandler(end -> finish(false));
        request.exceptionHandler(clientGone -> {
            if (!leave()) {
                dropBody();
            }
        });
        if (waitsForPermission) {
            request.response().writeContinue();
        }
    }

    private void chunk(Buffer chunk) {
        if (over) {
            return;
        }
        if (refusal == null) {
            refusal = objection(chunk.length());
        }
        if (refusal == null) {
            append(chunk);
            return;
        }
        dropBody();
        discarded += chunk.length();
        if (discarded > limit + MAX_DISCARDED) {
            finish(true);
        }
    }

    /** Most bodies are a single chunk, which this class owns. Only a second chunk makes a copy necessary. */
    private void append(Buffer chunk) {
        chunks++;
        if (chunks == 1) {
            body = chunk;
            return;
        }
        if (chunks == 2) {
            body = Buffer.buffer(body.length() + chunk.length()).appendBuffer(body);
        }
        body.appendBuffer(chunk);
    }

    private Reply objection(int more) {
        if (body.length() + (long) more > limit) {
            return tooLarge();
        }
        return budget.take(more)
                ? null
                : ErrorMapper.failure(ErrorCode.BUSY, "too many bytes at once; try again")
                        .reply();
    }

    private void dropBody() {
        budget.giveBack(body.length());
        body = NOTHING;
    }

    @Override
    public long ageNanos() {
        return System.nanoTime() - startedNanos;
    }

    @Override
    public void tooSlow() {
        refusal = refusal == null ? ErrorMapper.tooSlow(deadlines.seconds()) : refusal;
        finish(true);
    }

    private void finish(boolean cutOff) {
        if (leave()) {
            return;
        }
        if (refusal == null) {
            Buffer all = body;
            // A call may take long, and the request keeps this reader.
            body = NOTHING;
            accept.accept(all);
        } else {
            dropBody();
            boolean large = refusal.status() == ErrorMapper.status(ErrorCode.TOO_LARGE);
            replies.write(refusal, cutOff || large);
        }
    }

    /** Returns whether the reading had already ended. */
    private boolean leave() {
        boolean before = over;
        over = true;
        if (waiting) {
            waiting = false;
            deadlines.remove(this);
        }
        return before;
    }

    private Reply tooLarge() {
        return ErrorMapper.failure(ErrorCode.TOO_LARGE, "the request's body is larger than " + limit + " bytes")
                .reply();
    }

    private boolean hasBody() {
        return declaredLength() > 0 || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** The decoder has already refused a value that is no number. */
    private long declaredLength() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? 0 : Long.parseLong(length.strip());
    }

    /** Writes answers. */
    interface Replies {
        /**
         * @param close whether the connection is closed after the answer
         */
        void write(Reply reply, boolean close);
    }
}
