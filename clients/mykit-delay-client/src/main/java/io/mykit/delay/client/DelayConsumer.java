package io.mykit.delay.client;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Pulls messages, calls a handler for each of them, and settles them, see {@link MessageHandler}. It asks for as many messages
 * as handlers are free, and extends the lease of a message at each half of the ttr while its handler runs. Thread-safe.
 *
 * <pre>{@code
 * DelayConsumer consumer = client.consumer()
 *         .topics("orders")
 *         .concurrency(4)
 *         .handler(message -> cancelUnpaidOrder(message.text()))
 *         .start();
 * Runtime.getRuntime().addShutdownHook(new Thread(consumer::close));
 * }</pre>
 *
 * <p>The threads of a consumer are no daemons, so a program with a consumer goes on until the consumer is stopped.
 */
public final class DelayConsumer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final PullLoop loop;

    private DelayConsumer(PullLoop loop) {
        this.loop = loop;
    }

    /**
     * Stops. No more messages are pulled. Handlers that run have the grace to end; after that they are interrupted, and their
     * messages are given back. A second call waits for the same end. Do not call it from a handler: that would wait for itself.
     *
     * @return whether all handlers have ended within the grace
     */
    public boolean stop(Duration grace) {
        return loop.stop(grace);
    }

    /** The failure of the latest pull; empty = it was answered, or there was none yet. */
    public Optional<Throwable> pullFailure() {
        return loop.pullFailure();
    }

    /** Stops with a grace of 30 seconds. */
    @Override
    public void close() {
        loop.stop(GRACE);
    }

    /** The settings of a consumer. Not thread-safe. */
    public static final class Builder {
        private final AsyncDelayClient client;
        private List<String> topics = List.of();
        private int concurrency = 1;
        private Duration ttr = Duration.ofMinutes(1);
        private Duration waitFor = Duration.ofSeconds(20);
        private Optional<String> name = Optional.empty();
        private ResultHandler handler;
        private ConsumerListener listener;

        Builder(AsyncDelayClient client) {
            this.client = client;
        }

        /** The topics in the order of their priority. */
        public Builder topics(String... newTopics) {
            topics = List.of(newTopics);
            return this;
        }

        /** The number of handlers that run at the same time; 1 by default. */
        public Builder concurrency(int newConcurrency) {
            concurrency = newConcurrency;
            return this;
        }

        /**
         * The time after which a message is in other hands if this process dies; 1 minute by default. It is no bound for the
         * handler, because leases are extended. It counts instead of the ttr of a message.
         */
        public Builder ttr(Duration newTtr) {
            ttr = newTtr;
            return this;
        }

        /** How long a pull waits for a message, at most a minute; 20 s by default. */
        public Builder waitFor(Duration newWaitFor) {
            waitFor = newWaitFor;
            return this;
        }

        /**
         * The name by which operators see who holds a message, such as the name of a pod: 1 to 30 of the characters A-Z a-z 0-9 . _ : @ / -.
         * Without it they see the address of this process.
         */
        public Builder name(String newName) {
            name = Optional.of(newName);
            return this;
        }

        public Builder handler(MessageHandler newHandler) {
            Objects.requireNonNull(newHandler, "handler");
            handler = message -> {
                newHandler.handle(message);
                return null;
            };
            return this;
        }

        /** A handler whose results the producers get, instead of one without. */
        public Builder resultHandler(ResultHandler newHandler) {
            handler = newHandler;
            return this;
        }

        /** Is told of failures. Without one they are logged, an outage by a line at its begin and at its end. */
        public Builder listener(ConsumerListener newListener) {
            listener = newListener;
            return this;
        }

        /** @throws IllegalArgumentException if there is no topic, or no place for a handler */
        public DelayConsumer start() {
            Objects.requireNonNull(handler, "handler");
            if (topics.isEmpty() || concurrency < 1) {
                throw new IllegalArgumentException("a consumer needs a topic and a concurrency of 1 or more");
            }
            PullRequest request = new PullRequest(topics, 1, waitFor, Optional.of(ttr), name);
            ConsumerListener told = listener != null ? listener : new OutageLog(topics);
            PullLoop loop = new PullLoop(client, request, concurrency, handler, told);
            loop.start();
            return new DelayConsumer(loop);
        }
    }
}
