package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Consumers that pull. Each has a connection: it pulls, waits for messages, acknowledges them in one request, and pulls again. */
public final class PullSink extends HttpConsumers {
    /** Longer than any line. A consumer that waits asks again after the longest wait that the server allows. */
    private static final Duration WAIT = Duration.ofSeconds(60);

    /** Null = consumers acknowledge all messages. */
    private final Duration gap;
    /** The ends of the holds that were left, by message, microseconds. */
    private final Map<String, Long> left = new ConcurrentHashMap<>();

    private PullSink(int port, List<String> topics, int count, Duration ttr, Duration gap) {
        super(port);
        this.gap = gap;
        try {
            for (String topic : topics) {
                Consumer consumer = new Consumer(topic, count, ttr);
                consumer.pull(connect(consumer));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        begin();
    }

    /**
     * Opens consumers that begin at once.
     *
     * @param topics one for each consumer
     * @param count the maximum of messages of one pull
     */
    public static PullSink open(int port, List<String> topics, int count) {
        return new PullSink(port, topics, count, WAIT, null);
    }

    /**
     * Opens consumers that let their first hold of each message end. The tally gets the second arrivals, and counts from the end of
     * the first hold and the gap.
     *
     * @param ttr the length of a hold
     * @param gap of the retry policy
     */
    public static PullSink openLeaving(int port, List<String> topics, Duration ttr, Duration gap) {
        return new PullSink(port, topics, 1, ttr, gap);
    }

    /** One consumer. Used by one thread at a time. */
    private final class Consumer implements Answered {
        private final String topic;
        private final int count;
        private final Duration ttr;
        /** The messages whose ack is under way; empty = a pull is under way. */
        private List<PulledItem> acking = List.of();

        Consumer(String topic, int count, Duration ttr) {
            this.topic = topic;
            this.count = count;
            this.ttr = ttr;
        }

        void pull(HttpConnection connection) throws IOException {
            acking = List.of();
            connection.send(System.nanoTime(), Requests.pull(topic, count, WAIT, ttr));
        }

        @Override
        public void answered(HttpConnection connection) throws IOException {
            if (!connection.accepted()) {
                throw new IllegalStateException("refused: " + connection.body());
            }
            if (!acking.isEmpty()) {
                acking.forEach(item -> acked().arrived(Tally.nowMicros(), item.id()));
                pull(connection);
                return;
            }
            List<PulledItem> done = new ArrayList<>();
            for (PulledItem item : PulledItem.all(connection.body())) {
                if (gap != null && item.attempt() == 1) {
                    left.put(item.id(), TimeUnit.MILLISECONDS.toMicros(item.leaseUntilMs() + gap.toMillis()));
                } else {
                    Long again = left.remove(item.id());
                    tally().arrived(again == null ? TimeUnit.MILLISECONDS.toMicros(item.dueMs()) : again, item.id());
                    done.add(item);
                }
            }
            if (done.isEmpty()) {
                pull(connection);
            } else {
                acking = done;
                connection.send(System.nanoTime(), Requests.ack(done));
            }
        }
    }
}
