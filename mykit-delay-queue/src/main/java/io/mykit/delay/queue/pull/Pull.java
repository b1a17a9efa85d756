package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.consumer.Waiting;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.StoreBreaker;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.MessageStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the consumers of this node. A consumer that finds nothing rests in the {@link PullDesk}. A notice of the index that a
 * topic has messages begins a look for all its consumers that rest. Once a second this object asks which topics have messages,
 * all topics in one call per bucket: that makes up for lost notices.
 *
 * <p>Thread-safe. The calls return at once: the threads of this object do the work.
 */
public final class Pull implements Consumers, Service {
    private static final Logger LOG = LoggerFactory.getLogger(Pull.class);
    private static final int THREADS = 8;
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final HoldIndex index;
    private final Pulled pulled;
    private final PausedTopics paused;
    private final PullSettings settings;
    private final PullDesk desk;
    private final ReadyLists lists;
    private final Settling settling;
    private final Answers answers;
    private final Serving serving;
    private final Looks looks;
    private final AtomicBoolean asking = new AtomicBoolean();
    /** Whether this object has its threads. */
    private volatile boolean begun;

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Threads.named("pull-timer"));
    private volatile boolean closed;

    private Pull(
            HoldIndex index,
            Pulled pulled,
            PausedTopics paused,
            PullSettings settings,
            ReadyLists lists,
            HandOut handOut,
            Settling settling,
            PullMeters meters,
            ThreadPoolExecutor workers) {
        this.index = index;
        this.pulled = pulled;
        this.paused = paused;
        this.settings = settings;
        this.desk = new PullDesk(settings.maxWaiting());
        this.lists = lists;
        this.settling = settling;
        this.workers = workers;
        this.answers = new Answers(settling, index, meters, this::inBackground);
        this.serving = new Serving(desk, handOut, answers, this::serveAgain, this::lookFurther);
        this.looks = new Looks(workers, serving::serve);
        meters.waiting(desk::size);
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * The part of a node that serves consumers.
     *
     * @param clock an upper bound of the time
     * @param steady the time that decides about due times and times to live; never ahead of the other clock
     * @param pulled the topics that consumers pull
     * @param paused the topics of which nothing is handed out now
     * @param policies when a message is tried again
     * @param horizon a message whose next attempt is beyond it waits in the store
     * @param copies of dead letters, for dead-letter topics
     * @param shared the metrics that pulled messages share with delivered ones
     * @param workers see {@link #workers()}
     */
    public static Pull of(
            MessageStore store,
            MessageIndex index,
            InstantSource clock,
            InstantSource steady,
            Pulled pulled,
            PausedTopics paused,
            RetryPolicies policies,
            Horizon horizon,
            DeadCopies copies,
            DispatchMeters shared,
            PullMeters own,
            PullSettings settings,
            ThreadPoolExecutor workers) {
        StoreBreaker breaker =
                new StoreBreaker(System::nanoTime, "No message is handed out, and acks wait in Redis until it is back");
        HoldIndex holds = index.holds();
        ReadyLists lists = new ReadyLists(holds);
        LastLook look = new LastLook(store, index, steady, breaker, shared);
        SettlePlans plans = new SettlePlans(pulled, policies, horizon, clock, steady);
        IndexSteps steps = new IndexSteps(index, clock, own, shared);
        RowSettler settler = new RowSettler(store, index, plans, steps, copies, breaker);
        Settling settling = new Settling(new RowLane(settler), new HoldLane(holds, settings.ttr(), own), own);
        HandOut handOut = new HandOut(holds, lists, look, policies, paused, settings.ttr(), clock, System::nanoTime);
        return new Pull(holds, pulled, paused, settings, lists, handOut, settling, own, workers);
    }

    /** The threads for an object of this class, which closes them. */
    public static ThreadPoolExecutor workers() {
        return new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.numbered("pull"));
    }

    /** The loops of this object that should be running now. The health report checks that they are. */
    public List<LoopRunner> loops() {
        return begun ? settling.loops() : List.of();
    }

    /** An operator gave the topic another channel. Consumers that wait for a topic that is not pulled any more get nothing. */
    public void channelChanged(String topic) {
        if (pulled.contains(topic)) {
            start();
        } else {
            desk.all().stream()
                    .filter(waiter -> waiter.order().topics().contains(topic))
                    .forEach(waiter -> waiter.end(PullAnswer.NOTHING));
        }
    }

    /** Starts nothing while no topic is pulled. */
    @Override
    public void start() {
        if (!pulled.now().isEmpty()) {
            begin();
        }
    }

    private synchronized void begin() {
        if (closed || begun) {
            return;
        }
        settling.start();
        // A pull must not fail because no thread can be started at its time.
        workers.prestartAllCoreThreads();
        index.onReady(this::ready);
        paused.onChange(topic -> looks.ask(topic, Looks.Where.ALL));
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                this::askForReadyTopics, LOOK_INTERVAL.toMillis(), LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        begun = true;
    }

    /** Answers the consumers that wait with nothing, and finishes what they settled before, within bounds. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
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
        // Without its threads, this object could hand out what it cannot settle.
        return begun && pulled.contains(topic);
    }

    @Override
    public PullSettings limits() {
        return settings;
    }

    @Override
    public Map<String, Integer> waiting(String topic) {
        return desk.waiting(topic);
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
        // A topic may have got another channel before the consumer was seen to wait.
        if (closed || order.topics().stream().anyMatch(topic -> !isPulled(topic))) {
            waiter.end(PullAnswer.NOTHING);
            return waiter;
        }
        try {
            if (!waiter.isOfOneTopic()) {
                workers.execute(() -> serving.serve(waiter));
            } else if (waiter.isNew()) {
                looks.ask(order.topics().get(0), Looks.Where.ALL);
            }
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
        } catch (RuntimeException | Error e) {
            // Nobody may look for this consumer, or end its wait.
            waiter.cancel();
            throw e;
        }
        return waiter;
    }

    @Override
    public void giveBack(List<PulledMessage> messages) {
        answers.giveBack(messages);
    }

    @Override
    public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        if (!begun) {
            // A consumer may hold messages of a topic that was pulled until this node started again, or that another
            // node handed out.
            begin();
        }
        return settling.settle(verb, items);
    }

    private void ready(int bucket, String topic) {
        if (desk.waitsFor(topic)) {
            lists.note(bucket, topic);
            looks.ask(topic, Looks.Where.NOTED);
        }
    }

    private void ended(Waiter waiter) {
        desk.remove(waiter).stream().filter(topic -> !desk.waitsFor(topic)).forEach(lists::forget);
    }

    /** Asks for topics with ready messages, on another thread: the timer must not wait for the index. */
    private void askForReadyTopics() {
        if (desk.size() > 0 && asking.compareAndSet(false, true)) {
            try {
                inBackground(this::lookAtReadyTopics);
            } catch (RuntimeException | Error e) {
                // The timer drops a task that throws. The next turn asks again.
                asking.set(false);
            }
        }
    }

    private void lookAtReadyTopics() {
        try {
            lists.noteReady(desk::waitsFor).forEach(topic -> looks.ask(topic, Looks.Where.NOTED));
            desk.withoutLook().forEach(topic -> looks.ask(topic, Looks.Where.ALL));
        } catch (IndexUnavailableException e) {
            desk.all().forEach(waiter -> waiter.lookFailed(e));
        } finally {
            asking.set(false);
        }
    }

    private void serveAgain(Waiter waiter) {
        try {
            inBackground(() -> serving.serve(waiter));
        } catch (RuntimeException | Error e) {
            waiter.end(PullAnswer.failed(
                    new DelayException(ErrorCode.INTERNAL, "the pull could not go on; try again", e)));
            throw e;
        }
    }

    private void lookFurther(String topic, Looks.Where where) {
        looks.ask(topic, where);
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
