package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import java.util.function.Consumer;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Pushes at once, or inside a transaction after its commit. The messages of a transaction go together, in as few requests as
 * possible. Thread-safe; a transaction belongs to its thread.
 */
public record AfterCommit(DelayClient client) implements Consumer<Message> {
    @Override
    public void accept(Message message) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive()) {
            pending().add(message);
        } else {
            var unused = client.push(message);
        }
    }

    private PendingMessages pending() {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(PendingMessages.class::isInstance)
                .map(PendingMessages.class::cast)
                .filter(pending -> pending.isFor(client))
                .findFirst()
                .orElseGet(this::register);
    }

    private PendingMessages register() {
        PendingMessages pending = new PendingMessages(client);
        TransactionSynchronizationManager.registerSynchronization(pending);
        return pending;
    }
}
