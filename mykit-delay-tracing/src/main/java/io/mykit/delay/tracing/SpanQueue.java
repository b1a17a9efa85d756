package io.mykit.delay.tracing;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.queue.trace.SpanMeters;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ended spans that wait to be sent. A thread that ends a span never waits: a span that finds the queue full is dropped and
 * counted. One thread sends the spans; those of a request that failed are lost and counted. Thread-safe.
 */
final class SpanQueue implements SpanProcessor {
    static final int CAPACITY = 2048;
    private static final int BATCH = 512;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Backoff FAILED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final Duration CLOSE = Duration.ofSeconds(3);
    /** The exporter logs each failure by itself; {@link OutageLog} has one line for all. The field keeps the logger. */
    private static final Logger EXPORTER_LOG = Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final Duration bound;
    private final BlockingQueue<ReadableSpan> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final SpanMeters meters;
    private final OutageLog outages;
    private final LoopRunner sender = new LoopRunner("trace-export", this::round, FAILED);

    /**
     * @param endpoint for the log
     * @param timeout of one request
     */
    SpanQueue(SpanExporter exporter, String endpoint, Duration timeout, SpanMeters meters) {
        this.exporter = exporter;
        this.bound = timeout.plusSeconds(1);
        this.meters = meters;
        this.outages = new OutageLog(
                LoggerFactory.getLogger(SpanQueue.class),
                "Spans cannot be sent to " + endpoint + " and are lost",
                "Spans can be sent again");
        EXPORTER_LOG.setLevel(Level.OFF);
    }

    void start() {
        sender.start();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Only ended spans are sent.
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!waiting.offer(span)) {
            meters.dropped();
        } else if (waiting.size() == BATCH) {
            sender.wake();
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    /** Sends the spans that are left, for at most a few seconds. */
    @Override
    public CompletableResultCode shutdown() {
        sender.close();
        long deadline = System.nanoTime() + CLOSE.toNanos();
        long left = CLOSE.toNanos();
        while (!waiting.isEmpty() && left > 0) {
            send(Duration.ofNanos(left));
            left = deadline - System.nanoTime();
        }
        return exporter.shutdown().join(1, TimeUnit.SECONDS);
    }

    private Duration round() {
        while (!waiting.isEmpty()) {
            send(bound);
        }
        return PAUSE;
    }

    private void send(Duration longest) {
        List<ReadableSpan> batch = new ArrayList<>(BATCH);
        waiting.drainTo(batch, BATCH);
        CompletableResultCode sent = exporter.export(
                        batch.stream().map(ReadableSpan::toSpanData).toList())
                .join(longest.toMillis(), TimeUnit.MILLISECONDS);
        if (sent.isSuccess()) {
            meters.exported(batch.size());
            outages.succeeded();
        } else {
            meters.failed(batch.size());
            Throwable why = sent.getFailureThrowable();
            outages.failed(why == null ? "no answer within " + longest.toMillis() + " ms" : Reasons.of(why));
        }
    }
}
