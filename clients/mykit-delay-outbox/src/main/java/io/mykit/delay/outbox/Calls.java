package io.mykit.delay.outbox;

import io.mykit.delay.client.AsyncDelayClient;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.DelayUnavailableException;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes the calls of the rows that a relay has taken, and tells the listener what they found. One thread. */
final class Calls {
    /** Requests at the same time. Pushes go together in one. */
    private static final int AT_A_TIME = 32;
    /** Each may take the server seconds. */
    private static final int OF_KEYS_AT_A_TIME = 4;

    private static final int UNAUTHORIZED = 401;
    private static final int TOO_LARGE = 413;
    private static final int SERVER_ERROR = 500;

    private final AsyncDelayClient client;
    private final OutboxListener listener;

    Calls(AsyncDelayClient client, OutboxListener listener) {
        this.client = client;
        this.listener = listener;
    }

    /**
     * Calls on one message are made in the order of their rows. None is made after one of the same message that failed for now.
     *
     * @param rows in the order of their ids
     * @return the fate of each
     */
    Map<Row, Fate> make(List<Row> rows, Lease lease) throws SQLException, InterruptedException {
        Map<Row, Fate> fates = new LinkedHashMap<>();
        List<Row> failed = new ArrayList<>();
        boolean isOutage = false;
        for (List<Row> part : Order.parts(rows)) {
            List<Row> possible = isOutage ? List.of() : Order.withoutThoseAfter(failed, part);
            part.forEach(row -> fates.put(row, new Fate.Untried()));
            if (!possible.isEmpty()) {
                fates.putAll(makePart(possible, lease));
            }
            isOutage = Fate.outage(fates.values()) != null;
            for (Row row : part) {
                Fate fate = fates.get(row);
                if (!(fate instanceof Fate.Done || fate instanceof Fate.Aside)) {
                    failed.add(row);
                }
            }
        }
        return fates;
    }

    private Map<Row, Fate> makePart(List<Row> rows, Lease lease) throws SQLException, InterruptedException {
        Map<Row, Fate> fates = new LinkedHashMap<>();
        Map<Row, Message> pushes = new LinkedHashMap<>();
        List<Row> others = new ArrayList<>();
        List<Row> ofKeys = new ArrayList<>();
        for (Row row : rows) {
            if (row.operation() != Operation.PUSH) {
                (row.operation().isOfKey() ? ofKeys : others).add(row);
                continue;
            }
            try {
                pushes.put(row, Message.ofJson(row.content(), row.createdAt()));
            } catch (IllegalArgumentException e) {
                fates.put(row, new Fate.Aside(e.getMessage()));
            }
        }
        if (!pushes.isEmpty()) {
            fates.putAll(push(pushes, lease));
        }
        singly(others, AT_A_TIME, lease, this::call, fates);
        singly(ofKeys, OF_KEYS_AT_A_TIME, lease, this::call, fates);
        return fates;
    }

    private Map<Row, Fate> push(Map<Row, Message> pushes, Lease lease) throws SQLException, InterruptedException {
        List<Row> rows = List.copyOf(pushes.keySet());
        Map<Row, Fate> fates = new LinkedHashMap<>();
        if (rows.size() == 1) {
            singly(rows, AT_A_TIME, lease, row -> push(row, pushes.get(row)), fates);
            return fates;
        }
        lease.keep();
        CompletableFuture<List<PushResult>> batch = client.pushAll(List.copyOf(pushes.values()));
        lease.await(batch);
        try {
            List<PushResult> results = batch.join();
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                fates.put(
                        row,
                        results.get(i)
                                .failure()
                                .map(failure -> failed(row, failure))
                                .orElseGet(Fate.Done::new));
            }
            return fates;
        } catch (CompletionException e) {
            Throwable failure = e.getCause();
            // One bad message may be the reason, also for a proxy. Refused alone, it tells.
            if (failure instanceof DelayRequestException refused && !isForAll(refused)) {
                singly(rows, AT_A_TIME, lease, row -> push(row, pushes.get(row)), fates);
                return fates;
            }
            rows.forEach(row -> fates.put(row, failed(row, failure)));
            return fates;
        }
    }

    private CompletableFuture<Supplier<Fate>> push(Row row, Message message) {
        return client.push(message)
                .handle((id, failure) -> () -> failure == null ? new Fate.Done() : failed(row, cause(failure)));
    }

    /**
     * A call of its own for each row, until there is an outage.
     *
     * @param fates of this part so far; those of the rows are added
     */
    private static void singly(List<Row> rows, int atATime, Lease lease, SingleCall call, Map<Row, Fate> fates)
            throws SQLException, InterruptedException {
        boolean isBusy = false;
        for (int begin = 0; begin < rows.size(); begin += atATime) {
            List<Row> some = rows.subList(begin, Math.min(begin + atATime, rows.size()));
            if (isBusy || Fate.outage(fates.values()) != null) {
                some.forEach(row -> fates.put(row, new Fate.Untried()));
                continue;
            }
            lease.keep();
            List<CompletableFuture<Supplier<Fate>>> calls =
                    some.stream().map(call::begin).toList();
            lease.await(CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)));
            for (int i = 0; i < some.size(); i++) {
                lease.keep();
                Row row = some.get(i);
                Fate fate = calls.get(i).join().get();
                // More calls of keys would only wait as long.
                isBusy |= fate instanceof Fate.Outage && row.operation().isOfKey();
                fates.put(row, fate);
            }
        }
    }

    /** Begins a call. */
    @FunctionalInterface
    private interface SingleCall {
        /** The future does not fail. Its value tells the listener, on the thread of the relay. */
        CompletableFuture<Supplier<Fate>> begin(Row row);
    }

    private CompletableFuture<Supplier<Fate>> call(Row row) {
        String id = row.messageId();
        Key key = row.key();
        return switch (row.operation()) {
            case CANCEL -> found(row, client.cancel(id), result -> listener.cancelled(id, result));
            case RESCHEDULE ->
                found(row, client.reschedule(id, row.dueAt()), result -> listener.rescheduled(id, result));
            case CANCEL_OF_KEY ->
                foundOfKey(
                        row,
                        client.ofKey(key.topic(), key.bizKey()).cancel(),
                        results -> listener.cancelledOfKey(key.topic(), key.bizKey(), results));
            case RESCHEDULE_OF_KEY ->
                foundOfKey(
                        row,
                        client.ofKey(key.topic(), key.bizKey()).reschedule(row.dueAt()),
                        results -> listener.rescheduledOfKey(key.topic(), key.bizKey(), results));
            case PUSH -> throw new IllegalArgumentException("a push is no single call: " + row);
        };
    }

    private <R> CompletableFuture<Supplier<Fate>> found(Row row, CompletableFuture<R> call, Consumer<R> told) {
        return call.handle(
                (result, failure) -> () -> failure == null ? tell(told, result) : failed(row, cause(failure)));
    }

    /** Messages that could not be asked now are asked again by another try of the call, which finds only them. */
    private <R> CompletableFuture<Supplier<Fate>> foundOfKey(
            Row row, CompletableFuture<List<KeyedResult<R>>> call, Consumer<List<KeyedResult<R>>> told) {
        return call.handle((results, failure) -> () -> {
            if (failure != null) {
                return failed(row, cause(failure));
            }
            List<KeyedResult<R>> known =
                    results.stream().filter(result -> !isUnavailable(result)).toList();
            Fate fate = tell(told, known);
            return known.size() == results.size() || fate instanceof Fate.Aside
                    ? fate
                    : new Fate.Again((results.size() - known.size()) + " messages could not be asked");
        });
    }

    private static boolean isUnavailable(KeyedResult<?> result) {
        return result.failure()
                .filter(DelayUnavailableException.class::isInstance)
                .isPresent();
    }

    private static <R> Fate tell(Consumer<R> told, R result) {
        try {
            told.accept(result);
            return new Fate.Done();
        } catch (Throwable e) {
            // Errors and sneaky exceptions, too: a missing class of the application would end each relay in turn.
            return new Fate.Aside("the call was made, and the listener of the application failed: " + text(e));
        }
    }

    /** A failure of the application may fail to tell itself. */
    private static String text(Throwable failure) {
        try {
            return failure.toString();
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static Fate failed(Row row, Throwable failure) {
        if (failure instanceof DelayUnavailableException away) {
            // A server that takes other calls may have no time for the messages of a key.
            boolean mayBeOwn = row.operation().isOfKey();
            return new Fate.Outage(away.getMessage(), away.retryAfter(), away.isInDoubt(), mayBeOwn);
        }
        return failure instanceof DelayRequestException refused ? refused(row, refused) : new Fate.Again("" + failure);
    }

    private static Fate refused(Row row, DelayRequestException refusal) {
        if (refusal.status() == TOO_LARGE) {
            return new Fate.Aside(refusal.getMessage());
        }
        if (isForAll(refusal) || isOfProxy(refusal)) {
            return new Fate.Outage(refusal.getMessage(), Duration.ZERO, refusal.isInDoubt(), !isForAll(refusal));
        }
        if (refusal.status() >= SERVER_ERROR) {
            return new Fate.Again(refusal.getMessage());
        }
        if (row.operation() == Operation.PUSH) {
            // A push with replace met its message in delivery.
            if (refusal.error().equals("ALREADY_DISPATCHED")) {
                return new Fate.Again(refusal.getMessage());
            }
            // An earlier try was accepted, and its message has ended meanwhile.
            if (refusal.error().equals("ALREADY_FINISHED") && (row.tries() > 1 || refusal.isInDoubt())) {
                return new Fate.Done();
            }
        }
        return new Fate.Aside(refusal.getMessage());
    }

    /** Whether all calls would be refused, for want of a token. */
    private static boolean isForAll(DelayRequestException refusal) {
        return !isOfProxy(refusal)
                && (refusal.status() == UNAUTHORIZED || refusal.error().equals("FORBIDDEN"));
    }

    /** Whether the answer is none of mykit-delay: a proxy refuses this call, or all of them. */
    private static boolean isOfProxy(DelayRequestException refusal) {
        return refusal.error().isEmpty();
    }
}
