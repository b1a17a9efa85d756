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
import java.util.List;

/**
 * Inserts a batch. The whole batch is tried first, because nearly every message is new. If a row exists already, the
 * rows are looked up, the existing messages are separated, and the rest is tried again. The loop is needed because
 * another node may insert or remove rows in between. Thread-safe.
 */
final class Insertion {
    private static final int MAX_ROUNDS = 10;

    private final Transactions transactions;
    private final BoundedReads reads;
    private final FlowRows flow;
    private final InstantSource clock;

    Insertion(Transactions transactions, BoundedReads reads, FlowRows flow, InstantSource clock) {
        this.transactions = transactions;
        this.reads = reads;
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

    /** Inserts a batch in which an id exists already or comes twice. */
    private List<InsertResult> insertNew(List<NewMessage> batch, long nowMs, Tried firstTry) {
        TakenIds taken = new TakenIds(batch, reads);
        Tried tried = firstTry;
        for (int round = 1; tried != Tried.INSERTED; round++) {
            lookUp(taken, tried);
            if (round == MAX_ROUNDS) {
                throw new DelayException(
                        ErrorCode.INTERNAL,
                        "the database refuses ids as duplicates, but no row has these ids; send the messages again");
            }
            tried = insertAll(sorted(taken.pending()), nowMs);
        }
        return taken.results(item -> stored(item, nowMs));
    }

    private static void lookUp(TakenIds taken, Tried tried) {
        try {
            taken.lookUp();
        } catch (StoreUnavailableException e) {
            throw tried == Tried.TAKEN_PERHAPS_BY_US ? new StoreInDoubtException(e) : e;
        }
    }

    /** Sorts the batch by id, so that two nodes with overlapping batches lock rows in the same order. */
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
        int author = flow.pushAuthor();
        List<NewJob> jobs = new ArrayList<>(items.size());
        for (NewMessage item : items) {
            jobs.add(new NewJob(item, nowMs, now, author));
        }
        try {
            return transactions.write(session -> {
                session.insertJobs(jobs);
                return Tried.INSERTED;
            });
        } catch (DuplicateRowException e) {
            return e.isInDoubt() ? Tried.TAKEN_PERHAPS_BY_US : Tried.TAKEN;
        }
    }

    private static StoredMessage stored(NewMessage item, long nowMs) {
        return new StoredMessage(item.message(), item.status(), 0, nowMs);
    }

    /** The result of one try. */
    private enum Tried {
        INSERTED,
        /** A row existed before. No row was inserted. */
        TAKEN,
        /**
         * The answer to an earlier try was lost. The existing row may come from that try; then it has the same
         * content.
         */
        TAKEN_PERHAPS_BY_US
    }
}
