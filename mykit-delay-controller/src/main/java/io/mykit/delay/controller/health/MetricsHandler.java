package io.mykit.delay.controller.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers {@code GET /metrics} with Prometheus text. */
final class MetricsHandler implements CallHandler {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry;
    private final Workers workers;

    MetricsHandler(PrometheusMeterRegistry registry, Workers workers) {
        this.registry = registry;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        return workers.run(() -> new Reply(200, TEXT, Buffer.buffer(registry.scrape()), Map.of()));
    }
}
