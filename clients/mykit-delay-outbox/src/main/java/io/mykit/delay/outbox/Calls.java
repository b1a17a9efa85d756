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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes the calls of the rows that a relay has taken, and tells the listener what they found, one thread at a time. Thread-safe. */
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
    /** Fair: a thread waits for one call of the listener at most. */
    private final Lock turn = new ReentrantLock(true);
    /** Null = none so far. */
    private volatile Long latestDoneNanos;

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
        return judged(fates);
    }

    /** An outage that may lie in a call does, if another call was made since the try before. */
    private Map<Row, Fate> judged(Map<Row, Fate> fates) {
        long now = System.nanoTime();
        boolean hasDone = fates.values().stream().anyMatch(Fate.Done.class::isInstance);
        if (hasDone) {
            latestDoneNanos = now;
        }
        Long latest = latestDoneNanos;
        long sinceMs = latest == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(now - latest);
        fates.replaceAll((row, fate) -> {
            boolean othersPass = hasDone || sinceMs < Gap.leastBefore(row.tries());
            return fate instanceof Fate.Outage outage && outage.mayBeOwn() && othersPass ? outage.own(row) : fate;
        });
        return fates;
    }

    private Map<Row, Fate> makePart(List<Row> rows, Lease lease) throws SQLException, InterruptedException {
        Map<Row, Fate> fates = new LinkedHashMap<>();
        Map<Row, Message> messages = new HashMap<>();
        List<Row> pushes = new ArrayList<>();
        List<Row> others = new ArrayList<>();
        List<Row> triedBefore = new ArrayList<>();
        List<Row> ofKeys = new ArrayList<>();
        for (Row row : rows) {
            try {
                if (row.operation() == Operation.PUSH) {
                    messages.put(row, Message.ofJson(row.content(), row.createdAt()));
                }
                if (row.operation().isOfKey()) {
                    ofKeys.add(row);
                } else if (row.tries() > 1) {
                    triedBefore.add(row);
                } else {
                    (row.operation() == Operation.PUSH ? pushes : others).add(row);
                }
            } catch (IllegalArgumentException e) {
                fates.put(row, new Fate.Aside(e.getMessage()));
            }
        }
        push(pushes, messages, lease, fates);
        singly(others, AT_A_TIME, lease, messages, fates);
        // One of these may be the reason why a whole batch had no answer.
        singly(triedBefore, AT_A_TIME, lease, messages, fates);
        singly(ofKeys, OF_KEYS_AT_A_TIME, lease, messages, fates);
        return fates;
    }

    private void push(List<Row> rows, Map<Row, Message> messages, Lease lease, Map<Row, Fate> fates)
            throws SQLException, InterruptedException {
        if (rows.size() < 2) {
            singly(rows, AT_A_TIME, lease, messages, fates);
            return;
        }
        lease.keep();
        CompletableFuture<List<PushResult>> batch =
                client.pushAll(rows.stream().map(messages::get).toList());
        lease.await(batch);
        try {
            List<PushResult> results = batch.join();
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                fates.put(
                        row,
                        results.get(i)
                                .failure()
                                .map(failure -> failed(failure, row, false))
                                .orElseGet(Fate.Done::new));
            }
        } catch (CompletionException e) {
            Throwable failure = e.getCause();
            // One bad message may be the reason, also for a proxy. Refused alone, it tells.
            if (failure instanceof DelayRequestException refused && !isForAll(refused)) {
                singly(rows, AT_A_TIME, lease, messages, fates);
            } else {
                rows.forEach(row -> fates.put(row, failed(failure, row, false)));
            }
        }
    }

    /**
     * A call of its own for each row, until there is an outage.
     *
     * @param fates of this part so far; those of the rows are added
     */
    private void singly(List<Row> rows, int atATime, Lease lease, Map<Row, Message> messages, Map<Row, Fate> fates)
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
                    some.stream().map(row -> call(row, messages.get(row))).toList();
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

    /**
     * Begins a call. The future does not fail. Its value tells the listener, on the thread that gets it.
     *
     * @param message null = no push
     */
    private CompletableFuture<Supplier<Fate>> call(Row row, Message message) {
        String id = row.messageId();
        Key key = row.key();
        return switch (row.operation()) {
            case PUSH ->
                client.push(message)
                        .handle((any, failure) ->
                                () -> failure == null ? new Fate.Done() : failed(cause(failure), row, true));
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
        };
    }

    private <R> CompletableFuture<Supplier<Fate>> found(Row row, CompletableFuture<R> call, Consumer<R> told) {
        return call.handle(
                (result, failure) -> () -> failure == null ? tell(told, result) : failed(cause(failure), row, true));
    }

    /** Messages that could not be asked now are asked again by another try of the call, which finds only them. */
    private <R> CompletableFuture<Supplier<Fate>> foundOfKey(
            Row row, CompletableFuture<List<KeyedResult<R>>> call, Consumer<List<KeyedResult<R>>> told) {
        return call.handle((results, failure) -> () -> {
            if (failure != null) {
                return failed(cause(failure), row, true);
            }
            List<KeyedResult<R>> known =
                    results.stream().filter(result -> !isUnavailable(result)).toList();
            Fate fate = tell(told, known);
            return known.size() == results.size() || fate instanceof Fate.Aside
                    ? fate
                    : new Fate.Again((results.size() - known.size()) + " messages could not be asked", Duration.ZERO);
        });
    }

    private static boolean isUnavailable(KeyedResult<?> result) {
        return result.failure()
                .filter(DelayUnavailableException.class::isInstance)
                .isPresent();
    }

    /** Tells the listener that a row was set aside. */
    void tellSetAside(SetAside refused) {
        turn.lock();
        try {
            listener.setAside(refused);
        } finally {
            turn.unlock();
        }
    }

    private <R> Fate tell(Consumer<R> told, R result) {
        turn.lock();
        try {
            told.accept(result);
            return new Fate.Done();
        } catch (Throwable e) {
            // Errors and sneaky exceptions, too: a missing class of the application would end each relay in turn.
            return new Fate.Aside("the call was made, and the listener of the application failed: " + text(e));
        } finally {
            turn.unlock();
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

    /** @param isAlone whether the request was about this row only */
    private static Fate failed(Throwable failure, Row row, boolean isAlone) {
        if (failure instanceof DelayUnavailableException away) {
            // A firewall may cut each connection that has this body. A server that takes other calls may have no time
            // for
            // the messages of a key.
            boolean mayBeOwn = row.operation().isOfKey() || (isAlone && away.isInDoubt());
            return new Fate.Outage(away.getMessage(), away.retryAfter(), away.isInDoubt(), mayBeOwn);
        }
        return failure instanceof DelayRequestException refused
                ? refused(row, refused)
                : new Fate.Again("" + failure, Duration.ZERO);
    }

    private static Fate refused(Row row, DelayRequestException refusal) {
        if (refusal.status() == TOO_LARGE) {
            return new Fate.Aside(refusal.getMessage());
        }
        if (isForAll(refusal) || isOfProxy(refusal)) {
            return new Fate.Outage(refusal.getMessage(), Duration.ZERO, refusal.isInDoubt(), !isForAll(refusal));
        }
        if (refusal.status() >= SERVER_ERROR) {
            return new Fate.Again(refusal.getMessage(), Duration.ZERO);
        }
        if (row.operation() == Operation.PUSH) {
            // A push with replace met its message in delivery.
            if (refusal.error().equals("ALREADY_DISPATCHED")) {
                return new Fate.Again(refusal.getMessage(), Duration.ZERO);
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
