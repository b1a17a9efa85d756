package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.queue.options.OptionsJson;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the result of each message in a batch with ids that exist already or come twice. Stored bodies are compared a
 * few at a time and not kept, because a batch of small messages may have the ids of large ones. One thread.
 */
final class TakenIds {
    /** The bound of stored bodies in memory at a time. */
    private static final long MAX_BODIES = BodyBounds.TOGETHER;
    /** The largest number of bytes of a character. */
    private static final long CHARACTER_BYTES = 3;
    /** The largest number of bytes of idempotency keys and the id of a request, which a row has and a repeated push may not have. */
    private static final long ROW_ONLY_BYTES = CHARACTER_BYTES
            * (MessageLimits.MAX_IDEMPOTENCY_KEYS * MessageLimits.MAX_IDEMPOTENCY_KEY + MessageLimits.MAX_REQUEST_ID);

    private final List<NewMessage> batch;
    private final BoundedReads reads;
    /** The places in the batch of the messages whose ids are not known as taken. */
    private final Map<String, List<Integer>> pending = new LinkedHashMap<>();

    private final InsertResult[] results;

    TakenIds(List<NewMessage> batch, BoundedReads reads) {
        this.batch = batch;
        this.reads = reads;
        this.results = new InsertResult[batch.size()];
        for (int i = 0; i < results.length; i++) {
            pending.computeIfAbsent(id(i), id -> new ArrayList<>(1)).add(i);
        }
    }

    /** Returns one message for each id that is not known as taken. */
    Collection<NewMessage> pending() {
        return pending.values().stream().map(places -> batch.get(places.get(0))).toList();
    }

    /** Looks for rows with these ids. */
    void lookUp() {
        for (List<String> ids : SizedSql.chunks(List.copyOf(pending.keySet()))) {
            List<PartRow> left = new ArrayList<>();
            for (PartRow row : reads.parts(ids, MAX_BODIES)) {
                if (row.isWhole()) {
                    compare(row.toStored());
                } else if (mayBeSame(row)) {
                    left.add(row);
                } else {
                    settle(row.id(), item -> conflict(row.withoutBody()));
                }
            }
            reads.whole(left, MAX_BODIES, rows -> rows.forEach(this::compare));
        }
    }

    /**
     * Returns one result for each message of the batch, in order. The pending messages count as inserted.
     *
     * @param row makes the row of the first message with an id
     */
    List<InsertResult> results(Function<NewMessage, StoredMessage> row) {
        for (List<Integer> places : pending.values()) {
            StoredMessage first = row.apply(batch.get(places.get(0)));
            places.forEach(place -> results[place] = compare(batch.get(place), first));
            results[places.get(0)] = InsertResult.INSERTED;
        }
        return List.of(results);
    }

    private void compare(StoredMessage existing) {
        settle(existing.message().id(), item -> compare(item, existing));
    }

    private void settle(String id, Function<NewMessage, InsertResult> result) {
        pending.remove(id).forEach(place -> results[place] = result.apply(batch.get(place)));
    }

    /**
     * Compares two messages. The stored body is not kept: if it is the same, the pushed one takes its place, and
     * otherwise no caller needs it.
     */
    private static InsertResult compare(NewMessage item, StoredMessage existing) {
        return item.message().sameContent(existing.message())
                ? new InsertResult(
                        InsertResult.Kind.SAME, existing.withBody(item.message().body()))
                : conflict(existing.withBody(""));
    }

    private static InsertResult conflict(StoredMessage withoutBody) {
        return new InsertResult(InsertResult.Kind.CONFLICT, withoutBody);
    }

    /**
     * False if the stored body is longer than every pushed body with this id. Then the stored body need not be read.
     */
    private boolean mayBeSame(PartRow row) {
        return pending.get(row.id()).stream()
                .anyMatch(place -> row.length()
                        <= CHARACTER_BYTES * length(batch.get(place).message()) + ROW_ONLY_BYTES);
    }

    private static long length(DelayMessage message) {
        String options = OptionsJson.write(message.extras());
        return (long) message.body().length() + (options == null ? 0 : options.length());
    }

    private String id(int place) {
        return batch.get(place).message().id();
    }
}
