package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.rig.Node;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Calls the nodes as a careful client does: whatever is refused for now, or not answered, is asked again of the other
 * node, with the same id; what is never answered stays unknown. Thread-safe.
 */
final class Caller {
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_MS = 150;

    private final List<Node> nodes;
    private final UnaryOperator<DelayClient> as;
    private final Ledger ledger;
    private final LongSupplier clock;
    private final AtomicInteger next = new AtomicInteger();

    /** @param clock epoch milliseconds */
    Caller(List<Node> nodes, Ledger ledger, LongSupplier clock) {
        this(nodes, ledger, clock, client -> client);
    }

    /** With a token of its own. */
    Caller(List<Node> nodes, Ledger ledger, LongSupplier clock, String token) {
        this(nodes, ledger, clock, client -> client.withToken(token));
    }

    private Caller(List<Node> nodes, Ledger ledger, LongSupplier clock, UnaryOperator<DelayClient> as) {
        this.nodes = nodes;
        this.as = as;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Also the same order twice, or once more later. */
    void push(Order order) throws InterruptedException {
        Sending sending = new Sending(order, ledger, clock);
        ask(
                client -> client.push(sending.json()),
                answer -> sending.answered(answer.status(), word(answer.error()), answer.data()),
                sending::lost);
    }

    void pushBatch(List<Order> orders) throws InterruptedException {
        List<Sending> left = new ArrayList<>();
        orders.forEach(order -> left.add(new Sending(order, ledger, clock)));
        ask(
                client -> client.pushBatch(left.stream().map(Sending::json).toList()),
                answer -> {
                    if (answer.status() != 200) {
                        return isFinal(answer.status(), "batch", answer);
                    }
                    JSONArray items = answer.json().getJSONArray("data");
                    for (int i = items.size() - 1; i >= 0; i--) {
                        JSONObject item = items.getJSONObject(i);
                        String error = word(item.getString("error"));
                        if (left.get(i).answered(item.getIntValue("code"), error, item.getString("data"))) {
                            left.remove(i);
                        }
                    }
                    return left.isEmpty();
                },
                () -> left.forEach(Sending::lost));
    }

    /** A cancel that was not answered may still be carried out, by a node that was frozen, long after another answer. */
    void cancel(String id) throws InterruptedException {
        ledger.cancelling(id);
        long beganMs = clock.getAsLong();
        Runnable unknown =
                () -> ledger.cancelAnswered(id, new Cancel(Answered.NOTHING_KNOWN, beganMs, clock.getAsLong()));
        long[] askedMs = {beganMs};
        ask(
                client -> {
                    askedMs[0] = clock.getAsLong();
                    return client.delete(id);
                },
                answer -> {
                    Optional<Cancel> cancel =
                            told(answer).map(known -> new Cancel(known, askedMs[0], clock.getAsLong()));
                    cancel.ifPresent(known -> ledger.cancelAnswered(id, known));
                    return cancel.map(Cancel::isLast).orElse(false)
                            || isFinal(answer.status(), "cancel of " + id, answer);
                },
                unknown);
    }

    /** What was acknowledged is known for ever. */
    void query(String id) throws InterruptedException {
        if (ledger.isAcknowledged(id)) {
            ask(
                    client -> client.job(id),
                    answer -> answer.status() == 200 || isFinal(answer.status(), "query of " + id, answer),
                    () -> {});
        }
    }

    /** Empty if the answer tells nothing of the message. */
    private static Optional<Answered> told(Answer answer) {
        return switch (answer.status() + " " + word(answer.error())) {
            case "200 " ->
                Optional.of(
                        answer.json().containsKey("attempted") ? Answered.CANCELLED_AFTER_ATTEMPT : Answered.CANCELLED);
            case "404 NOT_FOUND" -> Optional.of(Answered.NOT_FOUND);
            case "409 ALREADY_DISPATCHED" -> Optional.of(Answered.ALREADY_DISPATCHED);
            case "409 ALREADY_FINISHED" -> Optional.of(Answered.ENDED);
            case "503 OUTCOME_UNKNOWN" -> Optional.of(Answered.NOTHING_KNOWN);
            case "503 INDEX_UNAVAILABLE", "503 STORE_UNAVAILABLE" -> Optional.of(Answered.REFUSED);
            default -> Optional.empty();
        };
    }

    private static String word(String error) {
        return error == null ? "" : error;
    }

    /** Whether asking again is of no use; that is a surprise. */
    boolean isFinal(int status, String what, Answer answer) {
        if (status == 429 || status == 503) {
            return false;
        }
        ledger.surprised(what + " was answered with " + status + ": " + answer.text());
        return true;
    }

    /** An answer that the contract does not know. */
    void surprised(String what) {
        ledger.surprised(what);
    }

    /** A call that is not asked again. Empty if it was not answered. */
    Optional<Answer> once(Function<DelayClient, Answer> question) {
        try {
            return Optional.of(question.apply(nextClient()));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /**
     * False if nobody gave a last answer in time.
     *
     * @param lost a request was sent, and perhaps carried out, and its answer did not come
     */
    boolean ask(Function<DelayClient, Answer> question, Predicate<Answer> isLast, Runnable lost)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < GIVE_UP_NANOS) {
            try {
                if (isLast.test(question.apply(nextClient()))) {
                    return true;
                }
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof ConnectException)) {
                    lost.run();
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        return false;
    }

    private DelayClient nextClient() {
        return as.apply(
                nodes.get(Math.floorMod(next.getAndIncrement(), nodes.size())).client());
    }
}
