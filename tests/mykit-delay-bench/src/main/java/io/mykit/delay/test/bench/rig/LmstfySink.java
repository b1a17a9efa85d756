package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Consumers of lmstfy's API. A consumer with workers is as a program that hands each job to one of so many threads: it consumes on a
 * connection of its own, each worker acknowledges one job at a time on its own, and the consumer consumes again when a worker has the last
 * job. A consumer without workers acknowledges on the connection on which it consumes.
 */
public final class LmstfySink extends HttpConsumers {
    /** Longer than any line. */
    private static final Duration TTR = Duration.ofMinutes(2);

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String ID = "\"job_id\":\"";
    /** Ends the due time in the id of a message whose lateness counts. */
    private static final char DUE_END = '-';

    private LmstfySink(int port, List<String> paths, int count, int workers) {
        super(port);
        try {
            for (String path : paths) {
                new Consumer(path, count, workers).consume();
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
     * @param workers of each consumer; 0 = it acknowledges on the connection on which it consumes
     */
    public static LmstfySink open(int port, List<String> paths, int count, int workers) {
        return new LmstfySink(port, paths, count, workers);
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
        private final HttpConnection own;
        /** Whether it has no workers. */
        private final boolean isAlone;

        private final Deque<HttpConnection> free = new ArrayDeque<>();
        private final Deque<String> left = new ArrayDeque<>();
        /** Whether the request under way on its own connection is a consume. */
        private boolean consuming;

        Consumer(String path, int count, int workers) throws IOException {
            this.path = path;
            this.count = count;
            this.own = connect(this);
            this.isAlone = workers == 0;
            for (int i = 0; i < workers; i++) {
                free.add(connect(this));
            }
        }

        void consume() throws IOException {
            consuming = true;
            free.remove(own);
            own.send(System.nanoTime(), Requests.consume(path, count, TIMEOUT, TTR));
        }

        @Override
        public void answered(HttpConnection connection) throws IOException {
            if (consuming && connection == own) {
                consumed(connection);
            } else {
                acked(connection);
            }
            while (!left.isEmpty() && !free.isEmpty()) {
                free.poll().send(System.nanoTime(), Requests.ack(path, left.poll()));
            }
            boolean isOwnBusy = consuming || (isAlone && free.isEmpty());
            if (left.isEmpty() && !isOwnBusy) {
                consume();
            }
        }

        private void consumed(HttpConnection connection) {
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
            consuming = false;
            if (isAlone) {
                free.add(own);
            }
        }

        private void acked(HttpConnection connection) {
            if (!connection.accepted()) {
                throw new IllegalStateException("refused: " + connection.body());
            }
            LmstfySink.this.acked().arrived(Tally.nowMicros(), null);
            free.add(connection);
        }
    }
}
