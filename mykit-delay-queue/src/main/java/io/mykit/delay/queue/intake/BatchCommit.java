package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.commit.BatchWriter;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes batches of pushes: first to the store, then to the index; then the producers get their answers. The lanes of
 * the intake use it. Two batches that are written at the same time have different ids. Thread-safe.
 *
 * <p>A crash before the commit leaves nothing, and no producer got an answer. A crash between the commit and the
 * scheduling leaves rows in DELAY that the index does not know. No producer got an answer in this case either, and
 * the auditor schedules these rows.
 */
public final class BatchCommit implements BatchWriter<Push> {
    private final MessageStore store;
    private final Scheduling scheduling;
    private final ReplaceLane replacements;

    public BatchCommit(MessageStore store, Scheduling scheduling, ReplaceLane replacements) {
        this.store = store;
        this.scheduling = scheduling;
        this.replacements = replacements;
    }

    /** Answers every push of the batch in every case. A defect is thrown after the answers. */
    @Override
    public void commit(List<Push> batch) {
        List<NewMessage> rows;
        List<InsertResult> results;
        long beforeMs = scheduling.nowMs();
        try {
            rows = rows(batch);
            results = store.insert(rows);
        } catch (DelayException e) {
            batch.forEach(push -> push.fail(e));
            return;
        } catch (Error e) {
            // A push without an answer would keep its connection and its bytes for ever. No object is created here,
            // because the memory may be used up.
            batch.forEach(push -> push.fail(e));
            throw e;
        } catch (RuntimeException e) {
            DelayException answer = new DelayException(
                    ErrorCode.INTERNAL, "the push failed because of a defect in the server; send it again", e);
            batch.forEach(push -> push.fail(answer));
            throw e;
        }
        try {
            scheduling.schedule(toSchedule(rows, results), beforeMs);
            scheduling.forgetEnded(retried(results));
        } finally {
            // The rows are committed, and the auditor schedules those that the index does not know. So no push is
            // refused
            // because of a defect here.
            answer(batch, results);
        }
    }

    /** Answers every push, also if there is no memory for the answer to one of them. */
    private void answer(List<Push> batch, List<InsertResult> results) {
        int next = 0;
        try {
            for (; next < batch.size(); next++) {
                answer(batch.get(next), results.get(next));
            }
        } catch (RuntimeException | Error e) {
            batch.get(next).fail(e);
            answer(batch.subList(next + 1, batch.size()), results.subList(next + 1, batch.size()));
            throw e;
        }
    }

    @Override
    public void fail(Push push, Throwable why) {
        push.fail(why);
    }

    private List<NewMessage> rows(List<Push> batch) {
        List<NewMessage> rows = new ArrayList<>(batch.size());
        for (Push push : batch) {
            rows.add(new NewMessage(push.message(), scheduling.initialStatus(push.message())));
        }
        return rows;
    }

    private List<NewMessage> toSchedule(List<NewMessage> rows, List<InsertResult> results) {
        List<NewMessage> due = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            InsertResult result = results.get(i);
            if (result.kind() == InsertResult.Kind.INSERTED) {
                due.add(rows.get(i));
            } else if (isRetried(result)) {
                // The server may have crashed after it stored the first push and before it scheduled it. The index
                // ignores a message that it knows.
                due.add(new NewMessage(
                        result.existing().message(), result.existing().status()));
            }
        }
        return due;
    }

    /** The messages of repeated pushes. Another call may have cancelled them in the meantime. */
    private static List<DelayMessage> retried(List<InsertResult> results) {
        return results.stream()
                .filter(BatchCommit::isRetried)
                .map(result -> result.existing().message())
                .toList();
    }

    private static boolean isRetried(InsertResult result) {
        return result.kind() == InsertResult.Kind.SAME
                && result.existing().status().canBegin();
    }

    private void answer(Push push, InsertResult result) {
        switch (result.kind()) {
            case INSERTED -> push.accept(PushResult.ACCEPTED);
            case SAME -> existing(push, result.existing(), true);
            case CONFLICT -> existing(push, result.existing(), false);
        }
    }

    private void existing(Push push, StoredMessage existing, boolean sameContent) {
        if (Refusals.isOfOtherTopic(push.message(), existing)) {
            push.fail(Refusals.otherTopic(push.message(), existing));
        } else if (push.repeats(existing, sameContent)) {
            push.accept(PushResult.same(existing.status()));
        } else if (push.replace()) {
            replacements.submit(push, existing);
        } else if (sameContent) {
            push.fail(Refusals.ended(existing));
        } else {
            push.fail(Refusals.otherContent(push.message(), existing, scheduling.nowMs()));
        }
    }
}
