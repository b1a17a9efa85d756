package io.mykit.delay.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a consumer: one pulls, and hands each message to a thread of its own. A thread is free before its message is
 * asked for, so no message waits for a handler while its lease runs.
 */
final class PullLoop {
    private static final int MAX_COUNT = 100;
    private static final long LONGEST_PAUSE_MS = 10_000;
    /** The loop has pauses of its own, and its listener is to hear of an outage. */
    private static final Duration RETRY_FOR = Duration.ofSeconds(5);

    private final AsyncDelayClient client;
    private final PullRequest request;
    private final Duration ttr;
    private final ResultHandler handler;
    private final Settling settling;
    private final Semaphore places;
    private final Set<Handling> running = ConcurrentHashMap.newKeySet();
    private final Thread puller;
    private final ThreadPoolExecutor handlers;
    private final ScheduledThreadPoolExecutor timer;
    private int failures;
    /** Null = the latest pull was answered. The puller writes it. */
    private volatile Throwable pullFailure;

    private boolean isStopped;
    private boolean isStoppedInTime;

    PullLoop(
            AsyncDelayClient client,
            PullRequest request,
            int concurrency,
            ResultHandler handler,
            ConsumerListener listener) {
        Duration retryFor = client.retryFor().compareTo(RETRY_FOR) < 0 ? client.retryFor() : RETRY_FOR;
        this.client = client.retryingFor(retryFor);
        this.request = request;
        this.ttr = request.ttr().orElseThrow();
        this.handler = handler;
        this.settling = new Settling(this.client, listener);
        this.places = new Semaphore(concurrency);
        String name = "mykit-delay-" + String.join(",", request.topics());
        this.puller = new Thread(this::pull, name + "-pull");
        this.handlers = new ThreadPoolExecutor(
                concurrency, concurrency, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = Executors.defaultThreadFactory().newThread(work);
                    thread.setName(name);
                    thread.setDaemon(false);
                    return thread;
                });
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, name + "-leases");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    void start() {
        handlers.prestartAllCoreThreads();
        puller.setDaemon(false);
        puller.start();
    }

    Optional<Throwable> pullFailure() {
        return Optional.ofNullable(pullFailure);
    }

    private void pull() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                long begin = System.nanoTime();
                // The first pull after a failure does not wait, so that the end of an outage is told at once.
                boolean isProbe = pullFailure != null;
                if (pullOnce(isProbe ? request.waitFor(Duration.ZERO) : request)
                        || isProbe
                        || System.nanoTime() - begin > request.waitFor().toNanos() / 2) {
                    failures = 0;
                    continue;
                }
                // A node that stops answers at once that there is nothing. The next endpoint is asked first, and then a
                // pause
                // keeps this loop from spinning.
                client.turnToNextEndpoint();
                if (failures == 0) {
                    failures = 1;
                } else if (!pause()) {
                    return;
                }
            } catch (InterruptedException stopped) {
                return;
            } catch (ExecutionException e) {
                pullFailure = e.getCause();
                settling.pullFailed(e.getCause());
                if (!pause()) {
                    return;
                }
            }
        }
    }

    /** Returns whether there was a message. */
    private boolean pullOnce(PullRequest asked) throws InterruptedException, ExecutionException {
        places.acquire();
        int count = 1;
        while (count < MAX_COUNT && places.tryAcquire()) {
            count++;
        }
        int begun = 0;
        CompletableFuture<List<PulledMessage>> pulled = client.pull(asked.count(count));
        try {
            List<PulledMessage> messages = pulled.get();
            if (pullFailure != null) {
                pullFailure = null;
                settling.pullRecovered();
            }
            for (PulledMessage message : messages) {
                begin(message);
                begun++;
            }
            return begun > 0;
        } catch (InterruptedException stopped) {
            if (!pulled.cancel(true) && !pulled.isCompletedExceptionally()) {
                CompletableFuture.allOf(
                                pulled.join().stream().map(settling::release).toArray(CompletableFuture[]::new))
                        .join();
            }
            throw stopped;
        } finally {
            places.release(count - begun);
        }
    }

    private void begin(PulledMessage message) {
        Handling handling = new Handling(message, handler, settling, ttr, timer);
        running.add(handling);
        handlers.execute(() -> {
            try {
                handling.run();
            } finally {
                running.remove(handling);
                places.release();
            }
        });
    }

    /** Returns false if the consumer is stopped meanwhile. */
    private boolean pause() {
        long longestMs = Math.min(LONGEST_PAUSE_MS, 500L << Math.min(failures++, 5));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(longestMs / 2, longestMs));
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }

    synchronized boolean stop(Duration grace) {
        if (isStopped) {
            return isStoppedInTime;
        }
        isStopped = true;
        long deadline = System.nanoTime() + grace.toNanos();
        boolean interrupted = false;
        try {
            // It cuts the pull that waits; the server skips a consumer that has hung up.
            puller.interrupt();
            puller.join();
            handlers.shutdown();
            isStoppedInTime = handlers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        abandon();
        timer.shutdownNow();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isStoppedInTime;
    }

    /** Bounded, because each call ends by its patience and timeout. */
    private void abandon() {
        // Before the interrupts: a handler that one of them ends must not have its message counted as failed.
        CompletableFuture<?>[] releases =
                running.stream().map(Handling::abandon).toArray(CompletableFuture[]::new);
        handlers.shutdownNow();
        CompletableFuture.allOf(releases).join();
    }
}
