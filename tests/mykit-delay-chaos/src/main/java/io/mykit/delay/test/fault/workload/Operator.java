package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Restore;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Restores what need not be restored, puts messages back that expired, and clears a topic of its own. Each call is made
 * once. For one thread.
 */
final class Operator {
    /** More than the nodes' clocks differ, also over a slow wire: what was pushed before a clear is cleared by it. */
    private static final long BEFORE_MS = 3_000;
    /** What is due so soon after a clear may have been on its way. */
    private static final long SOON_MS = 2_000;

    private final Caller caller;
    private final Ledger ledger;
    private final Orders orders;
    private final LongSupplier clock;
    private final Deque<Order> expired = new ArrayDeque<>();
    private final Set<String> toBeCleared = new HashSet<>();

    Operator(Caller caller, Ledger ledger, Orders orders, LongSupplier clock) {
        this.caller = caller;
        this.ledger = ledger;
        this.orders = orders;
        this.clock = clock;
    }

    /** One thing by the dice. */
    void step(SplittableRandom random) throws InterruptedException {
        String topic = Mix.PRODUCED.get(random.nextInt(Mix.PRODUCED.size()));
        switch (random.nextInt(10)) {
            case 0 -> call("/reStore?expire=true");
            case 1 -> call("/reStore?topic=" + topic);
            case 2 -> call("/reStore?expire=false&dryRun=true");
            case 3 -> call("/clearAll?dryRun=true");
            case 4, 5 -> clear();
            case 6, 7 -> restoreOne();
            default -> {
                pushExpired(random);
                pushToBeCleared(random);
            }
        }
    }

    private void pushExpired(SplittableRandom random) throws InterruptedException {
        Order order = orders.expired(random);
        expired.add(order);
        caller.push(order);
    }

    /** A clear that is not answered may be carried out at any time: all may be cancelled. */
    private void pushToBeCleared(SplittableRandom random) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Order order = orders.named(random, Mix.CLEARED);
            ledger.cancelling(order.id());
            caller.push(order);
            ledger.cancelAnswered(order.id(), new Cancel(Answered.NOTHING_KNOWN, clock.getAsLong(), clock.getAsLong()));
            toBeCleared.add(order.id());
        }
    }

    private void clear() {
        long askedMs = clock.getAsLong();
        Optional<Answer> answer = call("/clearAll?topic=" + Mix.CLEARED);
        boolean all = answer.filter(Operator::isSuccess)
                .map(Answer::dataObject)
                .filter(data -> !data.containsKey("unreachable") && !data.containsKey("stopped"))
                .isPresent();
        if (all) {
            long nowMs = clock.getAsLong();
            toBeCleared.stream()
                    .filter(id -> wasSurelyCleared(ledger.of(id).first(), askedMs, nowMs))
                    .forEach(id -> ledger.cancelAnswered(id, new Cancel(Answered.CANCELLED, askedMs, nowMs)));
            toBeCleared.clear();
        }
    }

    private static boolean wasSurelyCleared(Version version, long askedMs, long nowMs) {
        return version.isAcknowledged()
                && version.acknowledgedMs() < askedMs - BEFORE_MS
                && version.earliestDueMs() > nowMs + SOON_MS;
    }

    /** The eldest that was pushed to expire, if it did. */
    private void restoreOne() {
        Order order = expired.peek();
        if (order == null) {
            return;
        }
        Optional<String> status = caller.once(client -> client.job(order.id()))
                .filter(Operator::isSuccess)
                .map(Answer::dataObject)
                .map(data -> data.getString("statusName"));
        if (status.filter(Set.of("EXPIRED", "FAILED")::contains).isEmpty()) {
            return;
        }
        expired.remove();
        long askedMs = clock.getAsLong();
        String path = askedMs % 2 == 0 ? "/reStoreJob?jobId=" : "/reStore/";
        Optional<Answer> answer = call(path + order.id());
        ledger.restoreAnswered(
                order.id(),
                new Restore(askedMs, answer.filter(Operator::isSuccess).isPresent()));
    }

    private Optional<Answer> call(String path) {
        Optional<Answer> answer = caller.once(client -> client.get(path));
        answer.filter(given -> !isLegal(given))
                .ifPresent(given -> ledger.surprised(path + " was answered with " + given.text()));
        return answer;
    }

    private static boolean isLegal(Answer answer) {
        return switch (answer.status()) {
            case 200, 429, 503 -> true;
            case 409 -> "ALREADY_RUNNING".equals(answer.error());
            default -> false;
        };
    }

    private static boolean isSuccess(Answer answer) {
        return answer.status() == 200;
    }
}
