package io.mykit.delay.controller.http;

import io.mykit.delay.access.log.RequestAnswer;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Counts and writes the answers. An answer counts as unread from the moment at which it is known until its bytes are sent or
 * its connection has ended.
 *
 * <p>Any thread may count an answer. Only the event loop of the request writes it.
 */
final class Answers {
    /** The bytes of an answer's head and of the objects that belong to it. */
    private static final int HEAD_BYTES = 512;

    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized(RequestLog.ID);
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence CONTENT_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY = HttpHeaders.createOptimized("content-security-policy");
    /** An answer that a browser shows as a page may do nothing. */
    private static final CharSequence NOTHING =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");
    /** Programs make these calls, many times a second, and no browser shows their answers. */
    private static final Set<String> OF_PROGRAMS = Set.of("push", "batch");

    private final BodyBudget unread;
    private final RequestMetrics metrics;
    private final RequestLog requests;
    private final BooleanSupplier stopping;

    /**
     * @param unread counts the bytes of the unread answers of all event loops
     * @param stopping whether each answer closes its connection
     */
    Answers(BodyBudget unread, RequestMetrics metrics, RequestLog requests, BooleanSupplier stopping) {
        this.unread = unread;
        this.metrics = metrics;
        this.requests = requests;
        this.stopping = stopping;
    }

    /**
     * Counts the answer to a call.
     *
     * @param read whether the call changed no data. A short refusal may replace such an answer while too many bytes are
     *     unread, and an answer that can be taken back
     * @return the answer for {@link #writeCounted}
     */
    Reply count(Reply reply, boolean read) {
        Reply counted = reply;
        if (read || reply.unsent() != null) {
            if (unread.take(size(reply))) {
                return reply;
            }
            reply.takeBack();
            counted = ErrorMapper.failure(ErrorCode.BUSY, "too many answers were not read yet; try again")
                    .reply();
        }
        // A call that changed data is answered in any case. Such answers are short.
        unread.force(size(counted));
        return counted;
    }

    /**
     * Counts and writes an answer that needed no handler.
     *
     * @param cutOff whether the connection is closed after the answer
     */
    void write(Arrived arrived, String route, Reply reply, boolean cutOff) {
        unread.force(size(reply));
        metrics.unhandled(route, reply.status());
        end(arrived, route, reply, cutOff);
    }

    /** Writes an answer that was counted. */
    void writeCounted(Arrived arrived, String route, Reply reply) {
        end(arrived, route, reply, false);
    }

    private void end(Arrived arrived, String route, Reply reply, boolean cutOff) {
        // While the server stops, the next request of a client needs a new connection, which leads to another node.
        boolean close = cutOff || stopping.getAsBoolean();
        long nanos = System.nanoTime() - arrived.nanos();
        HttpServerRequest request = arrived.request();
        metrics.record(route, request.method().name(), reply.status(), nanos);
        if (arrived.mark().logged()) {
            requests.answered(
                    arrived.mark(),
                    RequestAnswer.ofHttp(
                            request.method().name(),
                            route,
                            reply.status(),
                            request.bytesRead(),
                            reply.body().length(),
                            address(request),
                            request.getHeader(HttpHeaders.USER_AGENT),
                            nanos));
        }
        arrived.use().end();
        if (cutOff) {
            arrived.use().ending();
        }
        HttpServerResponse response = request.response();
        int bytes = size(reply);
        if (response.ended() || response.closed()) {
            unread.giveBack(bytes);
            reply.takeBack();
            return;
        }
        Future<Void> ended;
        try {
            ended = send(arrived, reply, bytes, close, !OF_PROGRAMS.contains(route));
        } catch (RuntimeException | Error defect) {
            unread.giveBack(bytes);
            reply.takeBack();
            throw defect;
        }
        if (ended.isComplete()) {
            wentOut(arrived.use(), bytes);
        } else {
            ended.onComplete(out -> wentOut(arrived.use(), bytes));
        }
        if (reply.unsent() != null) {
            ended.onFailure(broken -> reply.takeBack());
        }
        if (close) {
            ended.onComplete(written -> request.connection().close());
        }
    }

    private static Future<Void> send(Arrived arrived, Reply reply, int bytes, boolean close, boolean toBrowsers) {
        HttpServerResponse response = arrived.request().response();
        response.setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        if (toBrowsers) {
            response.putHeader(CONTENT_OPTIONS, NO_SNIFF).putHeader(POLICY, NOTHING);
        }
        reply.headers().forEach(response::putHeader);
        if (arrived.mark().id() != null) {
            response.putHeader(REQUEST_ID, arrived.mark().id());
        }
        if (close) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        // This runs before the end of the answer, because the next request of this connection may begin there.
        arrived.use().unread(bytes);
        return response.end(reply.body());
    }

    private void wentOut(Connections.Use use, int bytes) {
        unread.giveBack(bytes);
        use.wentOut(bytes);
    }

    /** The other end of the connection; empty if it has ended. */
    private static String address(HttpServerRequest request) {
        SocketAddress remote = request.remoteAddress();
        return remote == null ? "" : remote.hostAddress();
    }

    private static int size(Reply reply) {
        return reply.body().length() + HEAD_BYTES;
    }
}
