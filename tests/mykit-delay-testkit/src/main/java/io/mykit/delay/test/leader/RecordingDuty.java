package io.mykit.delay.test.leader;

import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Writes down every call, and holds the elector to its word: one thread, strictly in pairs. Thread-safe. */
public class RecordingDuty implements LeaderDuty {
    private final List<Long> epochs = new CopyOnWriteArrayList<>();
    private final List<String> offences = new CopyOnWriteArrayList<>();
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private volatile LeaderTerm term;
    private volatile int ended;

    @Override
    public void begin(LeaderTerm next) throws Exception {
        onOneThread("begin");
        if (term != null) {
            offences.add("begin while " + term + " had not ended");
        }
        if (epochs.stream().anyMatch(earlier -> earlier >= next.epoch())) {
            offences.add("epoch " + next.epoch() + " after " + epochs);
        }
        epochs.add(next.epoch());
        term = next;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the elector's thread writes it.
    public void end() {
        onOneThread("end");
        if (term == null) {
            offences.add("end without begin");
        }
        term = null;
        ended++;
    }

    /** The term between begin and end, else null. */
    public LeaderTerm term() {
        return term;
    }

    /** Whether it may work right now. */
    public boolean isActive() {
        LeaderTerm current = term;
        return current != null && current.isActive();
    }

    /** Every epoch that was begun, in order. */
    public List<Long> epochs() {
        return List.copyOf(epochs);
    }

    public int ended() {
        return ended;
    }

    /** Where the elector broke its word; to be empty. */
    public List<String> offences() {
        return List.copyOf(offences);
    }

    private void onOneThread(String call) {
        Thread current = Thread.currentThread();
        Thread seen = thread.compareAndExchange(null, current);
        if (seen != null && seen != current) {
            offences.add(call + " on " + current + " instead of " + seen);
        }
    }
}
