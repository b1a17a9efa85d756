package io.mykit.delay.test.lmstfy;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.ports.RawHttp;
import io.mykit.delay.test.ports.RawHttp.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Programs that publish to one queue, and others that consume and acknowledge its jobs. Each goes to another node after a fault, as behind a
 * round robin. They remember what was answered. Thread-safe.
 */
final class LmstfyTraffic implements AutoCloseable {
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 4;
    private static final int TTR_SECONDS = 3;
    private static final long PAUSE_MS = 50;
    private static final long JOIN_MS = 90_000;
    private static final Set<Integer> REFUSALS = Set.of(404, 503);

    private final List<Integer> ports;
    private final String path;
    private final Set<String> published = ConcurrentHashMap.newKeySet();
    private final Set<String> consumed = ConcurrentHashMap.newKeySet();
    /** When the ack was answered, of {@link System#nanoTime}, by id. */
    private final Map<String, Long> acked = new ConcurrentHashMap<>();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> producers = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    private volatile boolean producing = true;
    private volatile boolean consuming = true;

    LmstfyTraffic(List<Integer> ports, String queue) {
        this.ports = ports;
        this.path = "/api/kill/" + queue;
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            producers.add(start("producer-" + i, () -> produce(number)));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            int number = i;
            consumers.add(start("consumer-" + i, () -> consume(number)));
        }
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = Threads.daemon(name, work);
        thread.start();
        return thread;
    }

    int published() {
        return published.size();
    }

    int acked() {
        return acked.size();
    }

    /** Whether a consumer got each job whose publish was answered. */
    boolean isConsumed() {
        return consumed.containsAll(published);
    }

    /** What must not happen: an answer that no client expects, or a job that was handed out after the answer to its ack. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    void stopProducers() throws InterruptedException {
        producing = false;
        join(producers);
    }

    /** Ends the consumers, and then consumes and acknowledges what they left, until nothing has come for longer than a ttr. */
    void drain() throws InterruptedException {
        consuming = false;
        join(consumers);
        try (Client client = new Client(0)) {
            boolean empty = false;
            while (!empty) {
                empty = consumeOne(client, TTR_SECONDS + 2)
                        .filter(status -> status == 404)
                        .isPresent();
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(JOIN_MS);
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " did not end");
            }
        }
    }

    private void produce(int number) {
        try (Client client = new Client(number)) {
            for (int i = 0; producing; i++) {
                // Each second job waits for the leader.
                Optional<Answer> answer =
                        client.ask("PUT " + path + "?ttl=0&tries=1000&delay=" + i % 2, "job " + number + "-" + i);
                answer.ifPresent(this::published);
            }
        }
    }

    private void published(Answer answer) {
        if (answer.status() == 201) {
            published.add(JSON.parseObject(answer.body()).getString("job_id"));
        } else if (answer.status() != 503) {
            faults.add("publish: " + answer);
        }
    }

    private void consume(int number) {
        try (Client client = new Client(number)) {
            while (consuming) {
                consumeOne(client, 1);
            }
        }
    }

    /** The status of the answer; empty = none came. */
    private Optional<Integer> consumeOne(Client client, int timeoutSeconds) {
        long begunNanos = System.nanoTime();
        Optional<Answer> answer = client.ask("GET " + path + "?ttr=" + TTR_SECONDS + "&timeout=" + timeoutSeconds, "");
        answer.ifPresent(got -> {
            if (got.status() == 200) {
                handedOut(client, JSON.parseObject(got.body()).getString("job_id"), begunNanos);
            } else if (!REFUSALS.contains(got.status())) {
                faults.add("consume: " + got);
            }
        });
        return answer.map(Answer::status);
    }

    private void handedOut(Client client, String id, long begunNanos) {
        consumed.add(id);
        Long ackedNanos = acked.get(id);
        if (ackedNanos != null && ackedNanos - begunNanos < 0) {
            faults.add(id + " was handed out after the answer to its ack");
        }
        Optional<Answer> answer = client.ask("DELETE " + path + "/job/" + id, "");
        answer.ifPresent(got -> {
            if (got.status() == 204) {
                acked.putIfAbsent(id, System.nanoTime());
            } else if (got.status() != 503) {
                faults.add("ack: " + got);
            }
        });
    }

    @Override
    public void close() {
        producing = false;
        consuming = false;
    }

    /** One program. For one thread. */
    private final class Client implements AutoCloseable {
        private int node;
        private RawHttp connection;

        Client(int number) {
            this.node = number;
        }

        /** Empty = no answer came. */
        Optional<Answer> ask(String line, String body) {
            try {
                if (connection == null) {
                    connection = new RawHttp(ports.get(node % ports.size()));
                }
                Answer answer = connection.ask(line, "", body);
                if (answer.status() == 503) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                }
                if ("close".equals(answer.headers().get("connection"))) {
                    hangUp();
                }
                return Optional.of(answer);
            } catch (IOException cut) {
                hangUp();
                pause();
                return Optional.empty();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void hangUp() {
            node++;
            try {
                close();
            } catch (UncheckedIOException broken) {
                faults.add("close: " + broken);
            }
        }

        @Override
        public void close() {
            if (connection != null) {
                try {
                    connection.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    connection = null;
                }
            }
        }
    }
}
