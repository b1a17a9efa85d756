package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Removes ended messages. The row, its log and its result are removed in one transaction: a log without its row would never be
 * found again. Thread-safe.
 */
final class Removal {
    private final Transactions transactions;

    Removal(Transactions transactions) {
        this.transactions = transactions;
    }

    /** @return the number of removed messages */
    int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids) {
        if (status.isUnfinished()) {
            throw new IllegalArgumentException("unfinished messages are not removed: status " + status);
        }
        if (ids.isEmpty()) {
            return 0;
        }
        // All transactions lock rows in one order.
        List<String> sorted = new ArrayList<>(new TreeSet<>(ids));
        String changedBefore = UtcTime.text(changedBeforeMs);
        return transactions.write(session -> {
            int removed = 0;
            for (List<String> chunk : SizedSql.chunks(sorted)) {
                List<String> locked = session.lockEnded(chunk, status, changedBefore);
                session.remove(locked);
                if (status == MessageStatus.FAILED) {
                    DeadRows.delete(session, locked);
                } else if (status == MessageStatus.FINISH) {
                    ResultRows.delete(session, locked);
                }
                removed += locked.size();
            }
            return removed;
        });
    }
}
