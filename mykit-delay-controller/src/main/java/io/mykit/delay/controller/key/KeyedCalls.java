package io.mykit.delay.controller.key;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Failure;
import io.mykit.delay.controller.reply.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Makes the single call for each unfinished message of a key, one after the other in the order of their due times. Each message has the
 * answer of its single call. After the first one for which the database is away, after twenty seconds, and when the node closes, the rest is not tried, and
 * each answer says so. A crash leaves the messages before it changed and the others as they were; the caller has no answer and repeats
 * the call. Thread-safe.
 */
public final class KeyedCalls implements AutoCloseable {
    /** The time after which no further message is begun. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int THREADS = 4;
    private static final int QUEUE = 64;

    private final BiFunction<String, String, List<String>> search;
    private final LongSupplier nanoTime;
    private final Workers workers;
    private final AtomicBoolean stopping;

    /** @param search {@code KeySearch::unfinished} */
    public KeyedCalls(BiFunction<String, String, List<String>> search) {
        this(search, System::nanoTime);
    }

    KeyedCalls(BiFunction<String, String, List<String>> search, LongSupplier nanoTime) {
        this(search, nanoTime, new Workers("http-key", THREADS, QUEUE), new AtomicBoolean());
    }

    private KeyedCalls(
            BiFunction<String, String, List<String>> search,
            LongSupplier nanoTime,
            Workers workers,
            AtomicBoolean stopping) {
        this.search = search;
        this.nanoTime = nanoTime;
        this.workers = workers;
        this.stopping = stopping;
    }

    /** The same over another search, with the same threads. It is stopped and closed with this one. */
    public KeyedCalls over(BiFunction<String, String, List<String>> other) {
        return new KeyedCalls(other, nanoTime, workers, stopping);
    }

    /**
     * Answers with one result for each message.
     *
     * @param single the call on the message with this id; may block
     * @throws io.mykit.delay.common.error.DelayException BUSY
     */
    public CompletableFuture<Reply> each(MessageKey key, Function<String, Reply> single) {
        return workers.run(() -> {
            List<String> ids = search.apply(key.topic(), key.bizKey());
            return Envelope.batch(ids, replies(ids, single));
        });
    }

    private List<Reply> replies(List<String> ids, Function<String, Reply> single) {
        long endNanos = nanoTime.getAsLong() + LONGEST.toNanos();
        List<Reply> replies = new ArrayList<>();
        Failure rest = null;
        for (String id : ids) {
            rest = rest == null ? interruption(endNanos) : rest;
            if (rest != null) {
                replies.add(rest.reply());
                continue;
            }
            try {
                replies.add(single.apply(id));
            } catch (RuntimeException refused) {
                Failure failure = ErrorMapper.failure(refused);
                replies.add(failure.reply());
                if (failure.error() == ErrorCode.STORE_UNAVAILABLE) {
                    rest = ErrorMapper.failure(failure.error(), "not tried: " + failure.message());
                }
            }
        }
        return replies;
    }

    /** The reason why no further message is begun; null = none. */
    private Failure interruption(long endNanos) {
        if (stopping.get()) {
            return ErrorMapper.failure(ErrorCode.STOPPING, "not tried: this node stops; ask another one");
        }
        return endNanos - nanoTime.getAsLong() > 0
                ? null
                : ErrorMapper.failure(
                        ErrorCode.BUSY,
                        "not tried, because the call has taken " + LONGEST.toSeconds() + " s; repeat it");
    }

    /** Lets each call that runs end with its current message, because this node closes. */
    public void stop() {
        stopping.set(true);
    }

    /** Does not wait for calls that run: their clients get no answer any more. */
    @Override
    public void close() {
        stop();
        workers.close(Duration.ZERO);
    }
}
