package io.mykit.delay.test.ports;

import io.mykit.delay.common.lifecycle.Threads;
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
 * Programs that publish to one queue, and others that consume and end its jobs. Each goes to another node after a fault, as behind a
 * round robin. They remember what was answered. Thread-safe.
 */
final class PortTraffic implements AutoCloseable {
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 4;
    /** Of a job. */
    static final int TTR_SECONDS = 3;

    private static final long PAUSE_MS = 50;
    private static final long JOIN_MS = 90_000;

    private final List<Integer> ports;
    private final PortSpeech speech;
    private final Set<String> published = ConcurrentHashMap.newKeySet();
    private final Set<String> consumed = ConcurrentHashMap.newKeySet();
    /** When the end was answered, of {@link System#nanoTime}, by id. */
    private final Map<String, Long> ended = new ConcurrentHashMap<>();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> producers = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    private volatile boolean producing = true;
    private volatile boolean consuming = true;

    PortTraffic(List<Integer> ports, PortSpeech speech) {
        this.ports = ports;
        this.speech = speech;
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

    int ended() {
        return ended.size();
    }

    /** Whether so many publishes and ends were answered. */
    boolean isBeyond(int published, int ended) {
        return published() >= published && ended() >= ended;
    }

    /** Whether a consumer got each job whose publish was answered. */
    boolean isConsumed() {
        return consumed.containsAll(published);
    }

    /** What must not happen: an answer that no client expects, or a job that was handed out after the answer to its end. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    void stopProducers() throws InterruptedException {
        producing = false;
        join(producers);
    }

    /** Ends the consumers, and then consumes and ends what they left, until nothing has come for longer than a ttr. */
    void drain() throws InterruptedException {
        consuming = false;
        join(consumers);
        try (Client client = new Client(0)) {
            long lastNanos = System.nanoTime();
            while (System.nanoTime() - lastNanos < TimeUnit.SECONDS.toNanos(TTR_SECONDS + 2)) {
                if (consumeOne(client)) {
                    lastNanos = System.nanoTime();
                }
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
                String job = number + "-" + i;
                client.ask(speech.publish(job, i % 2), job).ifPresent(answer -> published(answer, job));
            }
        }
    }

    private void published(Answer answer, String job) {
        speech.published(answer, job).ifPresentOrElse(published::add, () -> requireAway("publish", answer));
    }

    private void requireAway(String call, Answer answer) {
        if (!speech.isAway(answer)) {
            faults.add(call + ": " + answer);
        }
    }

    private void consume(int number) {
        try (Client client = new Client(number)) {
            while (consuming) {
                consumeOne(client);
            }
        }
    }

    /** Whether there was a job. */
    private boolean consumeOne(Client client) {
        long begunNanos = System.nanoTime();
        Optional<Answer> answer = client.ask(speech.consume(), "");
        Optional<String> id = answer.flatMap(speech::consumed);
        if (id.isPresent()) {
            handedOut(client, id.get(), begunNanos);
        } else if (answer.isPresent() && !speech.isEmpty(answer.get())) {
            requireAway("consume", answer.get());
        } else {
            pause();
        }
        return id.isPresent();
    }

    private void handedOut(Client client, String id, long begunNanos) {
        consumed.add(id);
        Long endedNanos = ended.get(id);
        if (endedNanos != null && endedNanos - begunNanos < 0) {
            faults.add(id + " was handed out after the answer to its end");
        }
        client.ask(speech.end(id), "").ifPresent(answer -> {
            if (speech.isEnded(answer)) {
                ended.putIfAbsent(id, System.nanoTime());
            } else {
                requireAway("end", answer);
            }
        });
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
                if (speech.isAway(answer)) {
                    pause();
                }
                if ("close".equals(answer.headers().get("connection"))) {
                    hangUp();
                }
                return Optional.of(answer);
            } catch (IOException cut) {
                hangUp();
                pause();
                return Optional.empty();
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
