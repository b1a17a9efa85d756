package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The calls of one transaction, until its commit. A rollback drops them. One thread.
 *
 * <p>The calls stay as they were made until the commit, because a rollback to a savepoint takes back a cancel as well as a
 * send.
 */
final class PendingCalls implements TransactionSynchronization {
    private final DelayClient client;
    private final List<PendingCall> calls = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new HashMap<>();

    PendingCalls(DelayClient client) {
        this.client = client;
    }

    boolean isFor(DelayClient other) {
        return client == other;
    }

    void add(PendingCall call) {
        calls.add(call);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, calls.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        // A savepoint that is not known is older than the first call.
        int kept = savepoints.getOrDefault(savepoint, 0);
        drop(calls.subList(Math.min(kept, calls.size()), calls.size()), "a rollback to a savepoint");
    }

    /** The failure reaches the caller of the transaction, which is committed nevertheless. */
    @Override
    public void afterCommit() {
        carryOut();
    }

    /**
     * A call after the commit, by a listener of the event of the commit for example, is carried out here. Spring logs its
     * failure.
     */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            carryOut();
        } else {
            drop(calls, status == STATUS_ROLLED_BACK ? "a rollback" : "a commit whose outcome is not known");
        }
    }

    private void carryOut() {
        List<PendingCall> committed = List.copyOf(calls);
        calls.clear();
        Plan.of(committed).carryOut(client);
    }

    private static void drop(List<PendingCall> dropped, String why) {
        List<PendingCall> told = List.copyOf(dropped);
        dropped.clear();
        told.forEach(call -> call.fail(new CancellationException("not called because of " + why)));
    }
}
