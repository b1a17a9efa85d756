package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final FlowRows flow;
    private final InstantSource clock;

    Insertion(
            Transactions transactions,
            Function<List<String>, List<StoredMessage>> find,
            FlowRows flow,
            InstantSource clock) {
        this.transactions = transactions;
        this.find = find;
        this.flow = flow;
        this.clock = clock;
    }

    List<InsertResult> insert(List<NewMessage> batch) {
        long nowMs = clock.millis();
        List<NewMessage> sorted = sorted(batch);
        Tried tried = areDistinct(sorted) ? insertAll(sorted, nowMs) : Tried.TAKEN;
        if (tried == Tried.INSERTED) {
            return Collections.nCopies(batch.size(), InsertResult.INSERTED);
        }
        return insertNew(batch, nowMs, tried);
    }

    /** For a batch in which some id is there already, or twice. */
    private List<InsertResult> insertNew(List<NewMessage> batch, long nowMs, Tried firstTry) {
        Map<String, NewMessage> first = new LinkedHashMap<>();
        batch.forEach(item -> first.putIfAbsent(item.message().id(), item));
        Map<String, NewMessage> pending = new LinkedHashMap<>(first);
        Map<String, StoredMessage> before = new HashMap<>();

        Tried tried = firstTry;
        for (int round = 1; tried != Tried.INSERTED; round++) {
            for (StoredMessage row : find(pending.keySet(), tried)) {
                before.put(row.message().id(), row);
                pending.remove(row.message().id());
            }
            if (round == MAX_ROUNDS) {
                throw new DelayException(ErrorCode.INTERNAL, "ids are refused as taken, but no rows have them");
            }
            tried = insertAll(sorted(pending.values()), nowMs);
        }

        List<InsertResult> results = new ArrayList<>(batch.size());
        for (NewMessage item : batch) {
            String id = item.message().id();
            StoredMessage existing = before.get(id);
            if (existing == null && pending.remove(id) != null) {
                results.add(InsertResult.INSERTED);
            } else {
                results.add(compare(item, existing == null ? stored(first.get(id), nowMs) : existing));
            }
        }
        return results;
    }

    private List<StoredMessage> find(Collection<String> ids, Tried tried) {
        try {
            return find.apply(List.copyOf(ids));
        } catch (StoreUnavailableException e) {
            throw tried == Tried.TAKEN_PERHAPS_BY_US ? new StoreInDoubtException(e) : e;
        }
    }

    /** Two nodes with overlapping batches take their locks in one order. */
    private static List<NewMessage> sorted(Collection<NewMessage> items) {
        List<NewMessage> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparing(item -> item.message().id()));
        return sorted;
    }

    private static boolean areDistinct(List<NewMessage> sorted) {
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).message().id().equals(sorted.get(i - 1).message().id())) {
                return false;
            }
        }
        return true;
    }

    private Tried insertAll(List<NewMessage> items, long nowMs) {
        if (items.isEmpty()) {
            return Tried.INSERTED;
        }
        String now = UtcTime.text(nowMs);
        List<NewJob> jobs = new ArrayList<>(items.size());
        for (NewMessage item : items) {
            jobs.add(new NewJob(item, now));
        }
        List<NewFlow> begins = flow.begin(items, now);
        try {
            return transactions.write(session -> {
                session.insertJobs(jobs);
                session.insertFlow(begins);
                return Tried.INSERTED;
            });
        } catch (Transactions.DuplicateRowException e) {
            return e.isInDoubt() ? Tried.TAKEN_PERHAPS_BY_US : Tried.TAKEN;
        }
    }

    private static StoredMessage stored(NewMessage item, long nowMs) {
        return new StoredMessage(item.message(), item.status(), 0, nowMs);
    }

    private static InsertResult compare(NewMessage item, StoredMessage existing) {
        boolean same = item.message().sameContent(existing.message());
        return new InsertResult(same ? InsertResult.Kind.SAME : InsertResult.Kind.CONFLICT, existing);
    }

    /** What came of inserting rows together. */
    private enum Tried {
        INSERTED,
        /** A row was there before; none was inserted. */
        TAKEN,
        /** The answer to an earlier try was lost: the row that is there may be of that try, and has the same content then. */
        TAKEN_PERHAPS_BY_US
    }
}
