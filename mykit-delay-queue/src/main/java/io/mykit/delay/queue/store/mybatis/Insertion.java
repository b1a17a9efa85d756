package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Inserts a batch. It is tried whole, since nearly every message is new; only when a row turns out to be there already
 * are the rows looked up, told apart, and the rest tried again. Another node may insert or remove rows in between, hence
 * the loop.
 */
final class Insertion {
    private static final int MAX_ROUNDS = 10;

    private final Transactions transactions;
    private final Function<List<String>, List<StoredMessage>> find;
    private final String host;
    private final InstantSource clock;

    Insertion(
            Transactions transactions,
            Function<List<String>, List<StoredMessage>> find,
            String host,
            InstantSource clock) {
        this.transactions = transactions;
        this.find = find;
        this.host = host;
        this.clock = clock;
    }

    List<InsertResult> insert(List<NewMessage> batch) {
        Map<String, NewMessage> pending = new LinkedHashMap<>();
        batch.forEach(item -> pending.putIfAbsent(item.message().id(), item));
        Map<String, NewMessage> first = Map.copyOf(pending);
        Map<String, StoredMessage> before = new HashMap<>();
        long nowMs = clock.millis();

        for (int round = 1; !insertAll(pending, nowMs); round++) {
            for (StoredMessage row : find.apply(List.copyOf(pending.keySet()))) {
                before.put(row.message().id(), row);
                pending.remove(row.message().id());
            }
            if (round == MAX_ROUNDS) {
                throw new DelayException(ErrorCode.INTERNAL, "ids are refused as taken, but no rows have them");
            }
        }

        Set<String> inserted = new HashSet<>();
        List<InsertResult> results = new ArrayList<>(batch.size());
        for (NewMessage item : batch) {
            String id = item.message().id();
            StoredMessage existing = before.get(id);
            if (existing == null && inserted.add(id)) {
                results.add(InsertResult.INSERTED);
            } else {
                results.add(compare(item, existing == null ? stored(first.get(id), nowMs) : existing));
            }
        }
        return results;
    }

    /** False if a row was there already; then nothing was inserted. */
    private boolean insertAll(Map<String, NewMessage> pending, long nowMs) {
        if (pending.isEmpty()) {
            return true;
        }
        List<NewMessage> inOrder = new ArrayList<>(pending.values());
        // Two nodes with overlapping batches take their locks in one order.
        inOrder.sort(Comparator.comparing(item -> item.message().id()));
        String thread = Thread.currentThread().getName();
        try {
            return transactions.write(session -> {
                for (NewMessage item : inOrder) {
                    session.insert(JobRow.of(item.message(), item.status(), 0, nowMs));
                }
                for (NewMessage item : inOrder) {
                    session.insert(FlowRow.begin(item, thread, host, nowMs));
                }
                return true;
            });
        } catch (Transactions.DuplicateRowException e) {
            return false;
        }
    }

    private static StoredMessage stored(NewMessage item, long nowMs) {
        return new StoredMessage(item.message(), item.status(), 0, nowMs);
    }

    private static InsertResult compare(NewMessage item, StoredMessage existing) {
        boolean same = item.message().sameContent(existing.message());
        return new InsertResult(same ? InsertResult.Kind.SAME : InsertResult.Kind.CONFLICT, existing);
    }
}
