package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.topic.PausedTopics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the consumers of this node. A consumer that finds nothing rests in the {@link PullDesk}. A notice of the index that a
 * topic has messages begins a look for the first consumer that rests, and a look once a second makes up for lost notices.
 *
 * <p>Thread-safe. The calls return at once: the threads of this object do the work.
 */
public final class Pull implements Pulling, Service {
    private static final Logger LOG = LoggerFactory.getLogger(Pull.class);
    private static final int THREADS = 8;
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final HoldIndex index;
    private final PulledTopics pulled;
    private final PausedTopics paused;
    private final PullSettings settings;
    private final PullDesk desk;
    private final ReadyLists lists;
    private final HandOut handOut;
    private final Settling settling;
    private final Answers answers;
    /** Topics for which a look waits for a thread. */
    private final Set<String> noticed = ConcurrentHashMap.newKeySet();

    private final ExecutorService workers = Executors.newFixedThreadPool(THREADS, Threads.numbered("pull"));
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Threads.named("pull-timer"));
    private volatile boolean closed;

    Pull(
            HoldIndex index,
            PulledTopics pulled,
            PausedTopics paused,
            PullSettings settings,
            ReadyLists lists,
            HandOut handOut,
            Settling settling,
            PullMeters meters) {
        this.index = index;
        this.pulled = pulled;
        this.paused = paused;
        this.settings = settings;
        this.desk = new PullDesk(settings.maxWaiting());
        this.lists = lists;
        this.handOut = handOut;
        this.settling = settling;
        this.answers = new Answers(settling, index, meters, this::inBackground);
        meters.waiting(desk::size);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** The loops of this object. The health report checks that they are running. */
    public List<LoopRunner> loops() {
        return pulled.isEmpty() ? List.of() : settling.loops();
    }

    /** Starts nothing if no topic is pulled. */
    @Override
    public void start() {
        if (pulled.isEmpty()) {
            return;
        }
        settling.start();
        index.onReady(this::ready);
        paused.onChange(this::look);
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> desk.topics().forEach(this::look),
                LOOK_INTERVAL.toMillis(),
                LOOK_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Answers the consumers that wait with nothing, and finishes what they settled before, within bounds. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        desk.all().forEach(waiter -> waiter.end(PullAnswer.NOTHING));
        workers.shutdown();
        try {
            if (!workers.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "Messages are still being handed out after {}; they wait for the end of their holds",
                        CLOSE_TIMEOUT);
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        settling.close();
    }

    @Override
    public boolean isPulled(String topic) {
        return pulled.contains(topic);
    }

    @Override
    public Waiting pull(PullOrder order, Consumer<PullAnswer> answer) {
        for (String topic : order.topics()) {
            if (!isPulled(topic)) {
                return refused(
                        answer,
                        ErrorCode.NOT_PULLABLE,
                        "topic " + topic + " is not pulled: set mykit.delay.delivery.topics." + topic
                                + " = pull to change that");
            }
        }
        Waiter waiter = new Waiter(order, answer, this::ended);
        if (!desk.add(waiter)) {
            return refused(answer, ErrorCode.BUSY, "too many consumers wait on this node; try again later");
        }
        if (closed) {
            waiter.end(PullAnswer.NOTHING);
            return waiter;
        }
        try {
            workers.execute(() -> serve(waiter, order.topics()));
            if (!order.longestWait().isZero()) {
                waiter.endsBy(timer.schedule(
                        waiter::timeUp,
                        Math.min(
                                order.longestWait().toMillis(),
                                settings.maxWait().toMillis()),
                        TimeUnit.MILLISECONDS));
            }
        } catch (RejectedExecutionException e) {
            waiter.end(PullAnswer.NOTHING);
        }
        return waiter;
    }

    @Override
    public void giveBack(List<PulledMessage> messages) {
        answers.giveBack(messages);
    }

    @Override
    public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        if (pulled.isEmpty()) {
            return CompletableFuture.completedFuture(items.stream()
                    .map(item -> Settled.of(item.id(), SettleResult.NOT_PULLABLE))
                    .toList());
        }
        return settling.settle(verb, items);
    }

    private void ready(int bucket, String topic) {
        if (desk.waitsFor(topic)) {
            lists.note(bucket, topic);
            look(topic);
        }
    }

    private void ended(Waiter waiter) {
        desk.remove(waiter).forEach(lists::forget);
    }

    /** Looks for messages for the consumers of a topic, on another thread. */
    private void look(String topic) {
        if (noticed.add(topic)) {
            inBackground(() -> {
                // Before the look: a notice that comes during it begins another one.
                noticed.remove(topic);
                Waiter waiter = desk.next(topic);
                while (waiter != null && serve(waiter, List.of(topic))) {
                    waiter = desk.next(topic);
                }
            });
        }
    }

    /** Looks for messages for a consumer. Returns false if there were none, so that no other consumer gets any. */
    private boolean serve(Waiter waiter, List<String> first) {
        if (waiter.isOver()) {
            return true;
        }
        List<String> topics = first;
        boolean more = true;
        while (more) {
            DelayException failure;
            try {
                List<PulledMessage> messages = handOut.handOut(waiter.order(), topics);
                if (!messages.isEmpty()) {
                    answers.give(waiter, messages);
                    return true;
                }
                failure = null;
            } catch (DelayException e) {
                if (!e.code().isOutage()) {
                    waiter.end(PullAnswer.failed(e));
                    return true;
                }
                // The consumer goes on waiting: the store may be back in time.
                failure = e;
            } catch (RuntimeException | Error e) {
                LOG.error("A pull of {} failed because of a defect; its consumer gets an error", topics, e);
                waiter.end(PullAnswer.failed(new DelayException(
                        ErrorCode.INTERNAL, "the pull failed because of a defect in the server; try again", e)));
                return true;
            }
            topics = waiter.topics();
            more = waiter.endLook(failure);
        }
        return false;
    }

    private void inBackground(Runnable work) {
        try {
            workers.execute(work);
        } catch (RejectedExecutionException e) {
            // This node is stopping. No message may be left under a hold that no consumer knows.
            work.run();
        }
    }

    private static Waiting refused(Consumer<PullAnswer> answer, ErrorCode code, String why) {
        answer.accept(PullAnswer.failed(new DelayException(code, why)));
        return () -> {};
    }
}
