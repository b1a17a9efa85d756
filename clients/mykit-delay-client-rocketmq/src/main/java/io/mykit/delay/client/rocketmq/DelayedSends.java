package io.mykit.delay.client.rocketmq;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.codec.DecoderException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.producer.RecallMessageHandle;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * Decides which messages of producers go to mykit-delay, and sends them. An application needs one, for all its producers. Its threads are
 * daemons, and it needs no close. Thread-safe.
 *
 * <p>A message is delayed if it has one of the marks of RocketMQ: {@code setDelayTimeLevel}, {@code setDelayTimeSec}, {@code setDelayTimeMs},
 * {@code setDeliverTimeMs}, or the property {@code __STARTDELIVERTIME}. All others go straight to the broker.
 */
public final class DelayedSends {
    private static final int CALLBACK_THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final Set<String> topics;
    private final Duration minDelay;
    private final DelayLevels levels;
    private final InstantSource clock;
    private final SendParts parts;

    private DelayedSends(Builder settings) {
        this.topics = Set.copyOf(settings.topics);
        this.minDelay = settings.minDelay;
        this.levels = settings.levels;
        this.clock = settings.clock;
        AtomicInteger number = new AtomicInteger();
        // The places in flight bound the queue.
        ThreadPoolExecutor callbacks = new ThreadPoolExecutor(
                CALLBACK_THREADS,
                CALLBACK_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "mykit-delay-callback-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        callbacks.allowCoreThreadTimeOut(true);
        this.parts = new SendParts(
                settings.client,
                new InFlight(settings.maxInFlight),
                callbacks,
                new SendCounts(),
                new LossLog(System::nanoTime));
    }

    /** The settings, with the client that makes the calls. */
    public static Builder builder(DelayClient client) {
        return new Builder(client);
    }

    /** Of all messages of the application. */
    public SendCounts counts() {
        return parts.counts();
    }

    /**
     * The send of this message through mykit-delay; empty if it belongs straight to the broker.
     *
     * @param producer whose namespace and limits hold
     * @throws MQClientException if a mark is no number
     */
    public Optional<DelayedSend> of(DefaultMQProducer producer, Message message) throws MQClientException {
        if (message instanceof MessageBatch batch) {
            List<Message> messages = new ArrayList<>();
            batch.forEach(messages::add);
            return of(producer, messages);
        }
        if (message == null || !isTaken(message.getTopic())) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        return DueTime.of(message, levels, now)
                .filter(due -> !due.isBelow(minDelay, now))
                .map(due -> new DelayedSend(parts, producer, List.of(message), List.of(due)));
    }

    /**
     * The same for a batch. RocketMQ has no delay in a batch, so each delayed message is kept here, also below {@code minDelay}.
     *
     * @throws MQClientException if a mark is no number, or only some of the messages are delayed
     */
    public Optional<DelayedSend> of(DefaultMQProducer producer, Collection<Message> batch) throws MQClientException {
        Instant now = clock.instant();
        List<DueTime> dueTimes = new ArrayList<>();
        for (Message message : batch) {
            if (message != null && isTaken(message.getTopic())) {
                DueTime.of(message, levels, now).ifPresent(dueTimes::add);
            }
        }
        if (dueTimes.isEmpty()) {
            return Optional.empty();
        }
        if (dueTimes.size() < batch.size()) {
            throw Refusals.of(
                    "a batch has " + dueTimes.size() + " delayed messages among " + batch.size()
                            + "; send them apart from the others",
                    null);
        }
        return Optional.of(new DelayedSend(parts, producer, List.copyOf(batch), dueTimes));
    }

    /** Whether a handle is one of mykit-delay; otherwise a broker gave it. */
    public static boolean isOurs(String recallHandle) {
        try {
            RecallMessageHandle.decodeHandle(recallHandle);
            return false;
        } catch (DecoderException e) {
            return recallHandle != null && !recallHandle.isEmpty();
        }
    }

    /**
     * Cancels a delayed message, and returns its id.
     *
     * @param recallHandle as {@link DelayedSend#send(long)} returned it
     * @param timeoutMs milliseconds
     * @throws MQClientException if it is too late, or no message has this id; the message tells which
     * @throws RemotingException without an answer in time; another call is safe
     */
    public String recall(String recallHandle, long timeoutMs)
            throws MQClientException, RemotingException, InterruptedException {
        CompletableFuture<CancelResult> cancelled =
                parts.patient(timeoutMs).async().cancel(recallHandle);
        CancelResult result = Refusals.await(cancelled, timeoutMs, () -> cancelled.cancel(true));
        if (result.isCancelled()) {
            return recallHandle;
        }
        String why =
                switch (result) {
                    case NOT_FOUND -> "mykit-delay has no message with this id";
                    case ALREADY_FINISHED -> "it has expired, or is a dead letter";
                    default -> "too late, it was or will be delivered";
                };
        throw new MQClientException("not recalled: " + recallHandle + ": " + why, null);
    }

    /** Waits until nothing is in flight, at most so long. Returns whether nothing is. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        return parts.inFlight().awaitNone(atMost);
    }

    private boolean isTaken(String topic) {
        return topics.isEmpty() || topics.contains(topic);
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final DelayClient client;
        private Set<String> topics = Set.of();
        private Duration minDelay = Duration.ZERO;
        private DelayLevels levels = DelayLevels.DEFAULT;
        private int maxInFlight = 1000;
        private InstantSource clock = InstantSource.system();

        private Builder(DelayClient client) {
            this.client = client;
        }

        /** The topics whose delayed messages are kept, by their names without a namespace; empty = all. Others keep the broker's own timer. */
        public Builder topics(Collection<String> names) {
            topics = Set.copyOf(names);
            return this;
        }

        /** A shorter delay is left to the broker's own timer; zero = none is. It does not hold for {@code __STARTDELIVERTIME}, nor for batches. */
        public Builder minDelay(Duration least) {
            if (least.isNegative()) {
                throw new IllegalArgumentException("minDelay must not be negative");
            }
            minDelay = least;
            return this;
        }

        /**
         * The delays of the levels, as {@code messageDelayLevel} of the broker; {@code 1s 5s 10s 30s 1m ... 2h} by default.
         *
         * @throws IllegalArgumentException if it is no such text
         */
        public Builder delayLevels(String text) {
            levels = DelayLevels.parse(text);
            return this;
        }

        /** The messages with a callback, or sent oneway, that may wait for their answers or callbacks at the same time; 1,000 by default. */
        public Builder maxInFlight(int messages) {
            if (messages < 1) {
                throw new IllegalArgumentException("maxInFlight must be at least 1");
            }
            maxInFlight = messages;
            return this;
        }

        Builder clock(InstantSource time) {
            clock = time;
            return this;
        }

        public DelayedSends build() {
            return new DelayedSends(this);
        }
    }
}
