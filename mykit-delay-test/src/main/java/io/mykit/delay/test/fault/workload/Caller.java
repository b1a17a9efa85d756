package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSONArray;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.rig.Node;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Calls the nodes as a careful client does: whatever is refused for now, or not answered, is asked again of the other
 * node, with the same id; what is never answered stays unknown. Thread-safe.
 */
final class Caller {
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_MS = 150;

    private final List<Node> nodes;
    private final Ledger ledger;
    private final LongSupplier clock;
    private final AtomicInteger next = new AtomicInteger();

    /** @param clock epoch milliseconds */
    Caller(List<Node> nodes, Ledger ledger, LongSupplier clock) {
        this.nodes = nodes;
        this.ledger = ledger;
        this.clock = clock;
    }

    void push(Order order) throws InterruptedException {
        ledger.sending(order, clock.getAsLong());
        repeat(order);
    }

    /** The same id and content (again). */
    void repeat(Order order) throws InterruptedException {
        ask(client -> client.push(order.json()), answer -> {
            if (answer.status() == 200) {
                ledger.acknowledged(order.id());
                return true;
            }
            return isFinal(answer.status(), "push of " + order.id(), answer);
        });
    }

    void pushBatch(List<Order> orders) throws InterruptedException {
        orders.forEach(order -> ledger.sending(order, clock.getAsLong()));
        List<Order> left = new ArrayList<>(orders);
        ask(client -> client.pushBatch(left.stream().map(Order::json).toList()), answer -> {
            if (answer.status() != 200) {
                return isFinal(answer.status(), "batch with " + left.get(0).id(), answer);
            }
            JSONArray items = answer.json().getJSONArray("data");
            for (int i = items.size() - 1; i >= 0; i--) {
                Order order = left.get(i);
                int code = items.getJSONObject(i).getIntValue("code");
                if (code == 200) {
                    ledger.acknowledged(order.id());
                }
                if (code == 200 || isFinal(code, "item " + order.id(), answer)) {
                    left.remove(i);
                }
            }
            return left.isEmpty();
        });
    }

    void cancel(String id) throws InterruptedException {
        boolean answered = ask(client -> delete(client, id), answer -> {
            Optional<Answered> told = told(answer);
            ledger.cancelAnswered(id, told.orElse(Answered.NOTHING_KNOWN), clock.getAsLong());
            return told.isPresent() || isFinal(answer.status(), "cancel of " + id, answer);
        });
        if (!answered) {
            ledger.cancelAnswered(id, Answered.NOTHING_KNOWN, clock.getAsLong());
        }
    }

    /** A cancel that was not answered may still be carried out, by a node that was frozen, long after another answer. */
    private Answer delete(DelayClient client, String id) {
        try {
            return client.delete(id);
        } catch (UncheckedIOException e) {
            ledger.cancelAnswered(id, Answered.NOTHING_KNOWN, clock.getAsLong());
            throw e;
        }
    }

    /** What was acknowledged is known for ever. */
    void query(String id) throws InterruptedException {
        if (ledger.isAcknowledged(id)) {
            ask(client -> client.job(id), answer -> {
                return answer.status() == 200 || isFinal(answer.status(), "query of " + id, answer);
            });
        }
    }

    private static Optional<Answered> told(Answer answer) {
        return switch (answer.status()) {
            case 200 -> Optional.of(Answered.CANCELLED);
            case 404 -> Optional.of(Answered.NOT_FOUND);
            case 409 ->
                "ALREADY_DISPATCHED".equals(answer.error())
                        ? Optional.of(Answered.ALREADY_DISPATCHED)
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Whether asking again is of no use; that is a surprise. */
    private boolean isFinal(int status, String what, Answer answer) {
        if (status == 429 || status == 503) {
            return false;
        }
        ledger.surprised(what + " was answered with " + status + ": " + answer.text());
        return true;
    }

    /** False if nobody gave a last answer in time. */
    private boolean ask(Function<DelayClient, Answer> question, Predicate<Answer> isLast) throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < GIVE_UP_NANOS) {
            Node node = nodes.get(Math.floorMod(next.getAndIncrement(), nodes.size()));
            try {
                if (isLast.test(question.apply(node.client()))) {
                    return true;
                }
            } catch (UncheckedIOException e) {
                // No answer, or not all of it: it may have been done.
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        return false;
    }
}
