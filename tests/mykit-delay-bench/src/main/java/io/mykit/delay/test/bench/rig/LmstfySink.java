package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Consumers of lmstfy's API. Each has some connections, as a program with so many threads: it consumes on the first one, acknowledges each job
 * by a request of its own on all of them, and consumes again when the last ack was answered.
 */
public final class LmstfySink extends HttpConsumers {
    /** Longer than any line. */
    private static final Duration TTR = Duration.ofMinutes(2);

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String ID = "\"job_id\":\"";
    /** Ends the due time in the id of a message whose lateness counts. */
    private static final char DUE_END = '-';

    private LmstfySink(int port, List<String> paths, int count, int connections) {
        super(port);
        try {
            for (String path : paths) {
                new Consumer(path, count, connections).consume();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        begin();
    }

    /**
     * Opens consumers that begin at once.
     *
     * @param paths the path of a queue for each consumer
     * @param count the maximum of jobs of one consume
     * @param connections of each consumer
     */
    public static LmstfySink open(int port, List<String> paths, int count, int connections) {
        return new LmstfySink(port, paths, count, connections);
    }

    /** The id of the message with this number, from which the sink reads when it is due. */
    public static String id(long dueMs, long number) {
        return dueMs + String.valueOf(DUE_END) + number;
    }

    private static long dueMicros(String jobId) {
        int end = jobId.indexOf(DUE_END);
        return end < 0 ? Tally.nowMicros() : TimeUnit.MILLISECONDS.toMicros(Long.parseLong(jobId.substring(0, end)));
    }

    /** One consumer. Used by one thread at a time. */
    private final class Consumer implements Answered {
        private final String path;
        private final int count;
        private final List<HttpConnection> connections = new ArrayList<>();
        private final Deque<String> left = new ArrayDeque<>();
        private int acking;

        Consumer(String path, int count, int connections) throws IOException {
            this.path = path;
            this.count = count;
            for (int i = 0; i < connections; i++) {
                this.connections.add(connect(this));
            }
        }

        void consume() throws IOException {
            connections.get(0).send(System.nanoTime(), Requests.consume(path, count, TIMEOUT, TTR));
        }

        @Override
        public void answered(HttpConnection connection) throws IOException {
            if (acking == 0) {
                consumed(connection);
            } else {
                acked(connection);
            }
        }

        private void consumed(HttpConnection connection) throws IOException {
            if (!connection.accepted() && !connection.foundNothing()) {
                throw new IllegalStateException("refused: " + connection.body());
            }
            String jobs = connection.body();
            for (int at = jobs.indexOf(ID); at >= 0; at = jobs.indexOf(ID, at + 1)) {
                int from = at + ID.length();
                String id = jobs.substring(from, jobs.indexOf('"', from));
                tally().arrived(dueMicros(id), id);
                left.add(id);
            }
            if (left.isEmpty()) {
                consume();
                return;
            }
            for (HttpConnection each : connections) {
                ackNext(each);
            }
        }

        private void acked(HttpConnection connection) throws IOException {
            if (!connection.accepted()) {
                throw new IllegalStateException("refused: " + connection.body());
            }
            LmstfySink.this.acked().arrived(Tally.nowMicros(), null);
            acking--;
            ackNext(connection);
            if (acking == 0) {
                consume();
            }
        }

        private void ackNext(HttpConnection connection) throws IOException {
            String next = left.poll();
            if (next != null) {
                acking++;
                connection.send(System.nanoTime(), Requests.ack(path, next));
            }
        }
    }
}
