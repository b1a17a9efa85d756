package io.mykit.delay.ports.http;

import io.mykit.delay.access.Browsers;
import io.mykit.delay.access.HostNames;
import io.mykit.delay.access.log.RequestAnswer;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.log.RequestMark;
import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Calls;
import io.mykit.delay.ports.call.Paths;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves each request of one event loop: body, call, answer. All steps run on that loop. */
final class Exchange implements Handler<HttpServerRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-ID");
    private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");
    private static final int BAD = 400;
    private static final int FORBIDDEN = 403;
    private static final int TIMEOUT = 408;
    private static final int AWAY = 503;

    private final Context loop;
    private final Calls calls;
    private final HostNames names;
    private final Clients clients;
    private final PortBounds bounds;
    private final ByteBudget budget;
    private final RequestLog requests;
    private final BooleanSupplier stopping;

    Exchange(
            Context loop,
            Calls calls,
            HostNames names,
            Clients clients,
            PortBounds bounds,
            ByteBudget budget,
            RequestLog requests,
            BooleanSupplier stopping) {
        this.loop = loop;
        this.calls = calls;
        this.names = names;
        this.clients = clients;
        this.bounds = bounds;
        this.budget = budget;
        this.requests = requests;
        this.stopping = stopping;
    }

    @Override
    public void handle(HttpServerRequest request) {
        Client client = clients.of(request.connection());
        Future<Void> before = client.written();
        if (before.isComplete()) {
            begin(request, client);
            return;
        }
        // A client that sends its next request has to read the answer to the one before.
        request.pause();
        before.onComplete(out -> {
            request.resume();
            begin(request, client);
        });
    }

    /** Answers bytes that the decoder could not read. */
    void undecodable(HttpServerRequest request) {
        Call call = new Call(request, clients.of(request.connection()));
        call.answer(calls.error(BAD, "bad request"), true);
    }

    private void begin(HttpServerRequest request, Client client) {
        client.begin();
        Call call = new Call(request, client);
        Optional<List<String>> path = Paths.parts(request.path() == null ? "" : request.path());
        if (isOfPage(request)) {
            call.answer(calls.error(FORBIDDEN, "a web page makes this call; call from a program"), true);
            return;
        }
        if (path.isEmpty() || isFramedTwice(request)) {
            call.answer(calls.error(BAD, "bad request"), true);
            return;
        }
        if (!calls.isGuarded(request.method().name(), path.get())) {
            Optional<String> refusal = refusal(request);
            if (refusal.isPresent()) {
                call.answer(calls.error(FORBIDDEN, refusal.get()), true);
                return;
            }
        }
        call.route = calls.route(request.method().name(), path.get());
        if (Incoming.isEmpty(request)) {
            call.serve(path.get(), new Incoming.Body(Incoming.State.WHOLE, new byte[0], false));
            return;
        }
        int limit = calls.maxBody(request.method().name(), path.get());
        new Incoming(request, loop.owner(), budget, limit, body -> call.serve(path.get(), body)).read(bounds.body());
    }

    /** A browser tells so, and these ports have no pages. A program sends neither header. */
    private static boolean isOfPage(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.ORIGIN)
                || request.headers().contains(FETCH_SITE);
    }

    /**
     * Why a call that needs no token is refused. Over plain HTTP a browser does not tell that a page makes a GET, nor by whose name it calls.
     *
     * @see io.mykit.delay.access.HostNames
     */
    private Optional<String> refusal(HttpServerRequest request) {
        if (Browsers.isNamed(request.getHeader(HttpHeaders.USER_AGENT))) {
            return Optional.of("a browser makes this call; call from a program, or let calls need tokens");
        }
        String host = request.getHeader(HttpHeaders.HOST);
        return names.include(host) ? Optional.empty() : Optional.of(HostNames.refusal(host));
    }

    /** Another server on the way may see the end of such a request elsewhere. */
    private static boolean isFramedTwice(HttpServerRequest request) {
        List<String> encodings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        return encodings.size() > 1 || (encodings.size() == 1 && !"chunked".equalsIgnoreCase(encodings.get(0)));
    }

    /** One request. */
    private final class Call {
        private final HttpServerRequest request;
        private final Client client;
        private final RequestMark mark;
        private final long begunNanos = System.nanoTime();
        private String route = "none";

        Call(HttpServerRequest request, Client client) {
            this.request = request;
            this.client = client;
            this.mark = requests.begin(request.getHeader(RequestLog.ID));
        }

        void serve(List<String> path, Incoming.Body body) {
            if (body.state() == Incoming.State.TOO_SLOW) {
                answer(calls.error(TIMEOUT, "the body did not arrive in time"), true);
                return;
            }
            if (body.state() == Incoming.State.REFUSED) {
                answer(calls.error(AWAY, "too many bytes at once; try again"), body.cutOff());
                return;
            }
            Request whole = new Request(
                    request.method().name(),
                    path,
                    request.path(),
                    Query.of(request.query()),
                    List.copyOf(request.headers().entries()),
                    body.bytes(),
                    body.state() == Incoming.State.TOO_LARGE,
                    address(),
                    this::whenHungUp);
            CompletableFuture<Reply> coming = asked(whole);
            if (coming.isDone()) {
                budget.giveBack(body.bytes().length);
                answer(reply(coming), body.cutOff());
                return;
            }
            var unused = coming.whenComplete((reply, failure) -> {
                budget.giveBack(body.bytes().length);
                loop.runOnContext(now -> answer(reply(coming), body.cutOff()));
            });
        }

        /** For any thread. */
        private void whenHungUp(Runnable then) {
            if (Vertx.currentContext() == loop) {
                client.whenHungUp(then);
            } else {
                loop.runOnContext(now -> client.whenHungUp(then));
            }
        }

        private CompletableFuture<Reply> asked(Request whole) {
            try {
                return calls.answer(whole);
            } catch (RuntimeException | Error refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        private Reply reply(CompletableFuture<Reply> done) {
            try {
                return done.join();
            } catch (RuntimeException failure) {
                if (isDefect(failure)) {
                    LOG.error("A call of {} failed because of a defect", route, failure);
                }
                return calls.failed(failure);
            }
        }

        void answer(Reply whole, boolean cutOff) {
            Reply reply = counted(whole);
            int bytes = reply.body().length;
            HttpServerResponse response = request.response();
            if (response.ended() || response.closed()) {
                budget.giveBack(bytes);
                reply.takeBack();
                return;
            }
            boolean close = cutOff || stopping.getAsBoolean();
            response.setStatusCode(reply.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                    .putHeader(REQUEST_ID, mark.id() == null ? newId() : mark.id());
            if (reply.retryAfter() > 0) {
                response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(reply.retryAfter()));
            }
            if (close) {
                response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            Future<Void> out = response.end(Buffer.buffer(reply.body()));
            client.answered(out);
            out.onComplete(done -> {
                budget.giveBack(bytes);
                if (done.failed()) {
                    reply.takeBack();
                }
                if (close) {
                    var unused = request.connection().close();
                }
            });
            log(reply);
        }

        /** An answer that can be taken back may be refused; the others are short, or their call is done. */
        private Reply counted(Reply whole) {
            if (whole.unsent() == null) {
                budget.force(whole.body().length);
                return whole;
            }
            if (budget.take(whole.body().length)) {
                return whole;
            }
            whole.takeBack();
            Reply busy = calls.error(AWAY, "too many answers were not read yet; try again");
            budget.force(busy.body().length);
            return busy;
        }

        private void log(Reply reply) {
            if (mark.logged()) {
                requests.answered(
                        mark,
                        RequestAnswer.ofHttp(
                                request.method().name(),
                                route,
                                reply.status(),
                                request.bytesRead(),
                                reply.body().length,
                                address(),
                                request.getHeader(HttpHeaders.USER_AGENT),
                                System.nanoTime() - begunNanos));
            }
        }

        private String address() {
            SocketAddress remote = request.remoteAddress();
            return remote == null ? "" : remote.hostAddress();
        }
    }

    /** Refusals and outages are told to the client alone: the package of a store logs its outage. */
    private static boolean isDefect(RuntimeException failure) {
        Throwable cause = Causes.of(failure);
        return !(cause instanceof Refused)
                && !(cause instanceof DelayException known && known.code() != ErrorCode.INTERNAL);
    }

    private static String newId() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
    }
}
