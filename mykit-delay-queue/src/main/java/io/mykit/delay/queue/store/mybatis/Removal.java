package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Removes messages that ended. Row and log go together: a log without its row would never be found again. */
final class Removal {
    private final Transactions transactions;

    Removal(Transactions transactions) {
        this.transactions = transactions;
    }

    /** @return how many were removed */
    int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids) {
        if (status.isUnfinished()) {
            throw new IllegalArgumentException("a message in " + status + " is still wanted");
        }
        if (ids.isEmpty()) {
            return 0;
        }
        // One order of locking for everybody.
        List<String> sorted = new ArrayList<>(new TreeSet<>(ids));
        String changedBefore = UtcTime.text(changedBeforeMs);
        return transactions.write(session -> {
            int removed = 0;
            for (List<String> chunk : SizedSql.chunks(sorted)) {
                List<String> locked = session.lockEnded(chunk, status, changedBefore);
                session.remove(locked);
                removed += locked.size();
            }
            return removed;
        });
    }
}
