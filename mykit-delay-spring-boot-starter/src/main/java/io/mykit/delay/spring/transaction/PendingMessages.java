package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;

/** The messages of one transaction, until its commit. A rollback drops them. One thread. */
final class PendingMessages implements TransactionSynchronization {
    private final DelayClient client;
    private final List<Message> messages = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new HashMap<>();

    PendingMessages(DelayClient client) {
        this.client = client;
    }

    boolean isFor(DelayClient other) {
        return client == other;
    }

    void add(Message message) {
        messages.add(message);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, messages.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        // A savepoint that is not known is older than the first message.
        int kept = savepoints.getOrDefault(savepoint, 0);
        messages.subList(Math.min(kept, messages.size()), messages.size()).clear();
    }

    /** The failure reaches the caller of the transaction, which is committed nevertheless. */
    @Override
    public void afterCommit() {
        push();
    }

    /** A message that was sent after the commit, by a listener of the event of the commit, for example. */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            push();
        }
    }

    private void push() {
        List<Message> due = List.copyOf(messages);
        messages.clear();
        if (due.size() == 1) {
            var unused = client.push(due.get(0));
        } else if (!due.isEmpty()) {
            client.pushAll(due).forEach(PushResult::orThrow);
        }
    }
}
