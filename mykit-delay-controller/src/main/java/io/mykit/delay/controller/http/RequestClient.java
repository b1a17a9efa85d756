package io.mykit.delay.controller.http;

import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.controller.call.Client;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The client of one request whose body has been read, with the bytes that are counted for the body. Thread-safe. */
final class RequestClient implements Client {
    private final Arrived arrived;
    private final BodyBudget budget;
    private final AtomicInteger bodyBytes;
    private final RequestTrace trace;

    RequestClient(Arrived arrived, BodyBudget budget, int bodyBytes, RequestTrace trace) {
        this.arrived = arrived;
        this.budget = budget;
        this.bodyBytes = new AtomicInteger(bodyBytes);
        this.trace = trace;
    }

    @Override
    public Executor loop() {
        return arrived.loop();
    }

    @Override
    public void whenHungUp(Runnable task) {
        arrived.use().whenHungUp(() -> arrived.guarded(task));
    }

    @Override
    public String header(CharSequence name) {
        return arrived.request().getHeader(name);
    }

    @Override
    public RequestTrace trace() {
        return trace;
    }

    @Override
    public String address() {
        SocketAddress remote = arrived.request().remoteAddress();
        return remote == null ? "" : remote.hostAddress();
    }

    @Override
    public boolean isGone() {
        return arrived.use().isClosed();
    }

    @Override
    public void releaseBody() {
        budget.giveBack(bodyBytes.getAndSet(0));
    }
}
