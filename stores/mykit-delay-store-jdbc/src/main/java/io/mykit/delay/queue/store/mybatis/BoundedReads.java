package io.mykit.delay.queue.store.mybatis;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads messages so that their bodies in memory never exceed a bound together. Thread-safe.
 *
 * <p>The options of a message count as a part of its body. The database returns a body only if it is no longer than its
 * share of the bound. In most cases this returns all bodies, in one statement. The other bodies are read by id afterwards, as many at a time as the bound allows. A body
 * that is longer than the bound is read alone.
 */
final class BoundedReads {
    private final Transactions transactions;

    BoundedReads(Transactions transactions) {
        this.transactions = transactions;
    }

    static List<String> distinct(Collection<String> ids) {
        return List.copyOf(new LinkedHashSet<>(ids));
    }

    long count(int status, long dueBeforeMs, int most) {
        return transactions.read(session -> most == Integer.MAX_VALUE
                ? session.jobs().count(status)
                : session.jobs().countUpTo(status, dueBeforeMs, most));
    }

    Optional<MessageResult> result(String id) {
        return transactions
                .read(session -> Optional.ofNullable(session.results().find(id)))
                .map(ResultRow::toResult);
    }

    MessagePage page(PageSql.Query query, long maxBodies) {
        List<PartRow> read = transactions.read(session -> session.page(query, maxBodies / Math.max(1, query.limit())));
        List<PartRow> fitting = read.subList(0, fitting(read, 0, maxBodies));
        return new MessagePage(complete(fitting), fitting.size() == read.size() && read.size() < query.limit());
    }

    void find(Collection<String> ids, long maxBodies, Consumer<List<StoredMessage>> part) {
        for (List<String> chunk : SizedSql.chunks(List.copyOf(ids))) {
            List<PartRow> rows = parts(chunk, maxBodies);
            part.accept(rows.stream()
                    .filter(PartRow::isWhole)
                    .map(PartRow::toStored)
                    .toList());
            whole(rows.stream().filter(row -> !row.isWhole()).toList(), maxBodies, part);
        }
    }

    /** @param ids distinct ids, at most {@value SizedSql#MAX_IDS} */
    List<PartRow> parts(List<String> ids, long maxBodies) {
        return transactions.read(session -> session.parts(ids, maxBodies / Math.max(1, ids.size())));
    }

    /** Reads the rows whose bodies were left in the database. */
    void whole(List<PartRow> parts, long maxBodies, Consumer<List<StoredMessage>> part) {
        for (int from = 0; from < parts.size(); ) {
            int to = fitting(parts, from, maxBodies);
            part.accept(find(parts.subList(from, to)));
            from = to;
        }
    }

    private List<StoredMessage> complete(List<PartRow> rows) {
        List<PartRow> left = rows.stream().filter(row -> !row.isWhole()).toList();
        if (left.isEmpty()) {
            return rows.stream().map(PartRow::toStored).toList();
        }
        Map<String, StoredMessage> read =
                find(left).stream().collect(toMap(row -> row.message().id(), identity()));
        List<StoredMessage> complete = new ArrayList<>(rows.size());
        for (PartRow row : rows) {
            StoredMessage whole = row.isWhole() ? row.toStored() : read.get(row.id());
            if (whole != null && isWhereItWas(row.row(), whole)) {
                complete.add(whole);
            }
        }
        return complete;
    }

    /**
     * False if the row has moved and does not belong to the page any more. A cursor that followed such a row would
     * leave other rows out.
     */
    private static boolean isWhereItWas(JobRow row, StoredMessage now) {
        return row.status() == now.status().code()
                && row.dueTime() == now.message().dueTimeMs();
    }

    private List<StoredMessage> find(List<PartRow> rows) {
        List<String> ids = rows.stream().map(PartRow::id).toList();
        return transactions.read(session ->
                session.jobs().find(ids).stream().map(JobRow::toStored).toList());
    }

    /**
     * Returns the end of the longest run of rows whose bodies fit into the bound, from this row on. The run has one
     * row at least.
     */
    private static int fitting(List<PartRow> rows, int from, long maxBodies) {
        long bodies = 0;
        for (int i = from; i < rows.size(); i++) {
            bodies += rows.get(i).length();
            if (bodies > maxBodies && i > from) {
                return i;
            }
        }
        return rows.size();
    }
}
