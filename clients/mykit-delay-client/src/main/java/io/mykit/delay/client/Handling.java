package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The way of one message through the handler of a consumer. Its lease is extended at each half of the ttr while the handler
 * runs. The message is settled once: by the end of the handler, or by {@link #abandon}.
 */
final class Handling implements Runnable {
    private static final int MAX_DETAIL = 200;

    private final PulledMessage message;
    private final ResultHandler handler;
    private final Settling settling;
    private final Duration ttr;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isSettled = new AtomicBoolean();
    private final AtomicBoolean isExtending = new AtomicBoolean();

    Handling(
            PulledMessage message,
            ResultHandler handler,
            Settling settling,
            Duration ttr,
            ScheduledExecutorService timer) {
        this.message = message;
        this.handler = handler;
        this.settling = settling;
        this.ttr = ttr;
        this.timer = timer;
    }

    @Override
    public void run() {
        long halfMs = ttr.toMillis() / 2;
        Future<?> extension = timer.scheduleAtFixedRate(this::extend, halfMs, halfMs, TimeUnit.MILLISECONDS);
        Supplier<CompletableFuture<SettleResult>> end;
        String call;
        try {
            Body result = handler.handle(message);
            call = "ack";
            end = () -> result == null
                    ? settling.client().ack(message)
                    : settling.client().ack(message, result);
        } catch (RejectMessageException e) {
            call = "bury";
            end = () -> settling.client().bury(message, detail(e));
        } catch (RetryLaterException e) {
            call = "nack";
            end = () -> settling.client().nack(message, detail(e), e.delay());
        } catch (Throwable e) {
            // An Error too ends the handling of one message, and not the consumer.
            if (!isSettled.get()) {
                settling.handlerFailed(message, e);
            }
            call = "nack";
            end = () -> settling.client().nack(message, detail(e));
        } finally {
            extension.cancel(false);
        }
        if (isSettled.compareAndSet(false, true)) {
            settling.settle(message, call, end).join();
        }
    }

    /** Gives the message back, because the consumer stops before the handler has ended. */
    CompletableFuture<Void> abandon() {
        return isSettled.compareAndSet(false, true)
                ? settling.release(message)
                : CompletableFuture.completedFuture(null);
    }

    private void extend() {
        if (isSettled.get() || message.isLeaseLost() || !isExtending.compareAndSet(false, true)) {
            return;
        }
        var unused = settling.settle(message, "extend", () -> settling.client().extend(message, ttr))
                .thenRun(() -> isExtending.set(false));
    }

    /** What the flow log and the dead letter show: one line, and no stack trace. */
    private static String detail(Throwable failure) {
        boolean ours = failure instanceof RejectMessageException || failure instanceof RetryLaterException;
        String text = ours && failure.getMessage() != null ? failure.getMessage() : failure.toString();
        String line = text.replaceAll("\\p{Cc}+", " ");
        String shown = line.length() <= MAX_DETAIL ? line : line.substring(0, MAX_DETAIL);
        // The server refuses a surrogate without its other half, also one that the cut has made.
        return new String(shown.getBytes(UTF_8), UTF_8);
    }
}
