package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ensures that a database belongs to one queue. A message row does not name its queue, so a second queue would
 * restore and deliver the messages of the first queue. The row of a queue in the table of epochs is its claim. The
 * server never removes a claim.
 */
final class Ownership {
    private static final String TABLE = "mykit_delay_queue_epoch";
    /**
     * No queue has this name. The row exists only inside the transaction of a claim, and admits one claim at a time.
     */
    private static final String DOOR = "";

    private final Transactions transactions;
    private final InstantSource clock;
    private final String database;

    /** @param database the address of the database, without secrets */
    Ownership(Transactions transactions, InstantSource clock, String database) {
        this.transactions = transactions;
        this.clock = clock;
        this.database = database;
    }

    /**
     * Claims the database, unless the queue has claimed it before.
     *
     * @throws ConfigException if the database belongs to another queue
     * @throws StoreUnavailableException if the database cannot be asked
     */
    void claim(QueueIdentity queue) {
        List<String> owners = transactions.read(session -> session.epochs().names());
        if (owners.isEmpty()) {
            owners = claimFirst(queue.row());
        }
        if (!owners.equals(List.of(queue.row()))) {
            throw refusal(queue, owners);
        }
    }

    /** Returns the owner after the claim: this queue, or a queue whose claim was faster. */
    private List<String> claimFirst(String row) {
        for (; ; ) {
            try {
                return transactions.write(session -> {
                    LocalDateTime now = UtcTime.ofMillis(clock.millis());
                    EpochMapper epochs = session.epochs();
                    // Another claim waits here until this transaction ends, and then sees the rows of this
                    // transaction.
                    epochs.insert(DOOR, 0, now);
                    List<String> owners = new ArrayList<>(epochs.names());
                    owners.remove(DOOR);
                    if (owners.isEmpty()) {
                        epochs.insert(row, 0, now);
                        owners.add(row);
                    }
                    epochs.delete(DOOR);
                    return owners;
                });
            } catch (DuplicateRowException e) {
                // A node that took an epoch without a claim wrote the row in between. The next round sees it.
            }
        }
    }

    private ConfigException refusal(QueueIdentity queue, List<String> owners) {
        List<String> others =
                owners.stream().filter(owner -> !owner.equals(queue.row())).toList();
        String names = others.stream().map(QueueIdentity::quoted).collect(Collectors.joining(", "));
        boolean known = others.size() < owners.size();
        String sql = known || others.size() > 1
                ? "DELETE FROM " + TABLE + " WHERE name IN (" + names + ")"
                : "UPDATE " + TABLE + " SET name = " + QueueIdentity.quoted(queue.row()) + " WHERE name = " + names;
        return new ConfigException("the database " + database + " belongs to the queue " + names + (known ? " too" : "")
                + ", and this node's is " + QueueIdentity.quoted(queue.row())
                + ": each queue would deliver the messages of the other. Give each queue a database of its own"
                + " (mykit.delay.datasource.url; mykit.delay.data-dir for the embedded database), or give this node the name of the"
                + " other queue (mykit.delay.queue.name"
                + (queue.hasOwnPrefix() ? ", mykit.delay.queue.prefix" : "")
                + "). To rename the queue, stop all its nodes and run: " + sql);
    }
}
