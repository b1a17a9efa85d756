package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.StoreBreaker;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.topic.PausedTopics;
import java.time.InstantSource;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The parts of the server that pulling uses.
 *
 * @param clock an upper bound of the time
 * @param steady the time that decides about due times and times to live; never ahead of the other clock
 * @param pulled the topics that consumers pull
 * @param paused the topics of which nothing is handed out now
 * @param policies when a message is tried again
 * @param horizon a message whose next attempt is beyond it waits in the store
 * @param copies of dead letters, for dead-letter topics
 * @param meters the metrics that pulled messages share with delivered ones
 */
public record PullParts(
        MessageStore store,
        MessageIndex index,
        InstantSource clock,
        InstantSource steady,
        PulledTopics pulled,
        PausedTopics paused,
        RetryPolicies policies,
        Horizon horizon,
        DeadCopies copies,
        DispatchMeters meters) {
    /** Makes the part that serves consumers. */
    public Pull pull(PullSettings settings, PullMeters own) {
        return pull(settings, own, Pull.workers());
    }

    Pull pull(PullSettings settings, PullMeters own, ThreadPoolExecutor workers) {
        StoreBreaker breaker =
                new StoreBreaker(System::nanoTime, "No message is handed out, and acks wait in Redis until it is back");
        HoldIndex holds = index.holds();
        ReadyLists lists = new ReadyLists(holds);
        LastLook look = new LastLook(store, index, steady, breaker, meters);
        SettlePlans plans = new SettlePlans(pulled, policies, horizon, clock, steady);
        IndexSteps steps = new IndexSteps(index, clock, own, meters);
        RowSettler settler = new RowSettler(store, index, plans, steps, copies, breaker);
        Settling settling = new Settling(new RowLane(settler), new HoldLane(holds, settings.ttr(), own), own);
        HandOut handOut = new HandOut(holds, lists, look, policies, paused, settings.ttr(), clock, System::nanoTime);
        return new Pull(holds, pulled, paused, settings, lists, handOut, settling, own, workers);
    }
}
