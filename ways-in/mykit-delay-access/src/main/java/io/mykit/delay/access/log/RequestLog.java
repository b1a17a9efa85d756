package io.mykit.delay.access.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of requests, off by default. A request's event loop puts the line into a ring and never waits; if the ring is full,
 * the line is dropped and counted. One thread writes the lines. Thread-safe.
 */
public final class RequestLog implements Service {
    /** The logger of the lines. */
    public static final String LOGGER = "io.mykit.delay.requests";

    /** The header, or the metadata, with the id of a request. */
    public static final String ID = "x-request-id";

    private static final Logger LINES = LoggerFactory.getLogger(LOGGER);
    private static final int RING = 8192;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Backoff FAILED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final RequestChoice configured;
    private final RequestRing ring = new RequestRing(RING);
    private final Counter dropped;
    private final LoopRunner writer = new LoopRunner("request-log", this::write, FAILED);
    private volatile RequestChoice choice;
    private boolean writing;
    private boolean closed;

    /** @param choice the value of {@code log.requests} */
    public RequestLog(String choice, MeterRegistry registry) {
        this.configured = RequestChoice.of(choice);
        this.choice = configured;
        this.dropped = Family.LOG_LINES_DROPPED.counter(registry);
    }

    @Override
    public synchronized void start() {
        if (!choice.isOff() && !writing && !closed) {
            writing = true;
            writer.start();
        }
    }

    /** Writes the lines that are left. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        writer.close();
        write();
    }

    /** Whether requests get lines. */
    public boolean isOn() {
        return !choice.isOff();
    }

    /**
     * Turns the log of this node on or off until it ends, whatever its configuration says.
     *
     * @param on true = the requests that the configuration names, or all of them if it names none
     */
    public void turn(boolean on) {
        RequestChoice wanted = configured.isOff() ? RequestChoice.ALL : configured;
        choice = on ? wanted : RequestChoice.OFF;
        start();
    }

    /**
     * The head of a request is complete. The request keeps a good id of its client, and gets one if it will have a line.
     *
     * @param given the id of the client; null = none
     */
    public RequestMark begin(String given) {
        boolean logged = !choice.isOff();
        if (FieldRules.isRequestId(given)) {
            return new RequestMark(given, logged);
        }
        return logged ? new RequestMark(newId(), true) : RequestMark.NONE;
    }

    /** The answer to a logged request is known. */
    public void answered(RequestMark mark, RequestAnswer answer) {
        if (!choice.includes(answer.failed())) {
            return;
        }
        RequestLine line = new RequestLine(
                answer.method(),
                answer.route(),
                mark.messageId(),
                answer.status(),
                answer.grpcStatus(),
                answer.nanos() / 1000,
                answer.bytesIn(),
                answer.bytesOut(),
                answer.address(),
                mark.caller(),
                mark.id(),
                answer.agent(),
                mark.traceId(),
                mark.spanId());
        if (!ring.offer(line)) {
            dropped.increment();
        }
    }

    private Duration write() {
        RequestLine line;
        while ((line = ring.poll()) != null) {
            line.write(LINES);
        }
        return PAUSE;
    }

    private static String newId() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
    }
}
