package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of this node's threads in {@code mykit_delay_queue_author}. A row of a message has the number of the author
 * instead of two texts. Numbers are never given out again, so a node asks once for each thread. A node has as many authors as
 * it has loops and components that change rows: some dozens. Thread-safe.
 */
final class Authors {
    private final Transactions transactions;
    private final String host;
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    /** @param host the name of this node */
    Authors(Transactions transactions, String host) {
        this.transactions = transactions;
        this.host = NewFlow.cut(host, NewFlow.MAX_HOST);
    }

    /** Returns the number of an author. Call it outside a transaction: the first call for a thread runs one. */
    int number(String thread) {
        String name = NewFlow.cut(thread, NewFlow.MAX_THREAD);
        Integer number = known.get(name);
        if (number == null) {
            number = find(name);
            known.put(name, number);
        }
        return number;
    }

    private int find(String thread) {
        for (; ; ) {
            Integer number = transactions.read(session -> session.authors().number(host, thread));
            if (number != null) {
                return number;
            }
            try {
                transactions.write(session -> {
                    session.authors().insert(host, thread);
                    return null;
                });
            } catch (DuplicateRowException e) {
                // Another thread or a node of the same name inserted the row in between. The next round reads it.
            } catch (StoreInDoubtException e) {
                // The messages are not in doubt: their transaction has not begun.
                throw new StoreUnavailableException("the database did not answer", e);
            }
        }
    }
}
