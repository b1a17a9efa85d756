package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.history.Cancel.Answered.ALREADY_DISPATCHED;
import static io.mykit.delay.test.fault.history.Cancel.Answered.CANCELLED;
import static io.mykit.delay.test.fault.history.Cancel.Answered.CANCELLED_AFTER_ATTEMPT;
import static io.mykit.delay.test.fault.history.Cancel.Answered.NOTHING_KNOWN;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.workload.Ledger;
import io.mykit.delay.test.fault.workload.Order;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Calls a mortal server, and remembers its answers. For one thread. */
final class Clients {
    /** The prefix of the ids of messages that are pushed to be removed: the test expects no promise for them. */
    static final String OLD = "old-";

    private final Mortal server;
    private final String topic;
    private final Ledger ledger = new Ledger();
    private final List<String> unseen = new ArrayList<>();
    private String prefix = "";

    Clients(Mortal server, String topic) {
        this.server = server;
        this.topic = topic;
    }

    Ledger ledger() {
        return ledger;
    }

    /** The ids that were pushed outside the ledger since the last call. */
    List<String> takeUnseen() {
        List<String> ids = List.copyOf(unseen);
        unseen.clear();
        return ids;
    }

    /** The messages of a round begin with its name. */
    void beginRound(String round) {
        prefix = round;
    }

    String id(int number) {
        return prefix + "-" + number;
    }

    /** Whether one of the first messages of this round is under a lease. */
    boolean isAnyInDelivery(MessageIndex index, int count) {
        List<String> ids = IntStream.rangeClosed(1, count).mapToObj(this::id).toList();
        return index.locate(ids).containsValue(Location.TAKEN);
    }

    /** Pushes messages {@code first} to {@code last}, due together. */
    void push(int first, int last, long delayMs) {
        push(topic, first, last, delayMs);
    }

    void push(String to, int first, int last, long delayMs) {
        List<Order> orders = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            orders.add(new Order(id(i), to, delayMs));
        }
        repush(orders);
    }

    /** Pushes the messages of this round again, as a client without an answer does. */
    void repushAll() {
        repush(ledger.pushed().values().stream()
                .filter(pushed -> pushed.id().startsWith(prefix + "-"))
                .map(pushed ->
                        new Order(pushed.id(), pushed.topic(), pushed.first().delayMs()))
                .toList());
    }

    /** Whether all messages of this round have this status. */
    boolean roundIs(MessageStatus status) {
        return ledger.pushed().keySet().stream()
                .filter(id -> id.startsWith(prefix + "-"))
                .map(id -> ask(client -> client.job(id)))
                .allMatch(answer -> answer != null
                        && answer.status() == 200
                        && answer.dataObject().getIntValue("status") == status.code());
    }

    /** Pushes messages outside the ledger. */
    void pushUnseen(int first, int last) {
        for (int i = first; i <= last; i++) {
            Order order = new Order(OLD + id(i), topic, 0);
            unseen.add(order.id());
            ask(client -> client.push(order.json()));
        }
    }

    void cancel(int number) {
        long askedMs = System.currentTimeMillis();
        Answer answer = ask(client -> client.delete(id(number)));
        boolean cancelled = answer != null && answer.status() == 200;
        boolean late = answer != null && "ALREADY_DISPATCHED".equals(answer.error());
        Answered done = cancelled && answer.json().containsKey("attempted") ? CANCELLED_AFTER_ATTEMPT : CANCELLED;
        told(id(number), cancelled ? done : late ? ALREADY_DISPATCHED : NOTHING_KNOWN, askedMs);
    }

    /** Which an operator will take back. */
    void cancelForNow(int number) {
        ask(client -> client.delete(id(number)));
        told(id(number), NOTHING_KNOWN, System.currentTimeMillis());
    }

    /** Gives the first of the round a later due time and another content. */
    void replaceFirst() {
        long laterMs = ledger.pushed().get(id(1)).first().delayMs() + 500;
        Order other = new Order(id(1), topic, laterMs).again(1).withBody("another body of " + id(1));
        ledger.sending(other, System.currentTimeMillis());
        if (ask(client -> client.push(other.json())) == null) {
            ledger.doubted(other);
        }
    }

    /** An operator may cancel it or bring it back: both are legal for all that is unfinished. */
    void disclaim() {
        ledger.pushed().keySet().forEach(id -> told(id, NOTHING_KNOWN, System.currentTimeMillis()));
    }

    private void told(String id, Answered answered, long askedMs) {
        ledger.cancelAnswered(id, new Cancel(answered, askedMs, System.currentTimeMillis()));
    }

    /** Null if it was not answered. */
    Answer ask(Function<DelayClient, Answer> question) {
        try {
            return question.apply(server.client());
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    private void repush(List<Order> orders) {
        orders.forEach(order -> ledger.sending(order, System.currentTimeMillis()));
        Answer answer =
                ask(client -> client.pushBatch(orders.stream().map(Order::json).toList()));
        if (answer == null) {
            orders.forEach(ledger::doubted);
            return;
        }
        if (answer.status() != 200) {
            ledger.surprised("a batch of " + prefix + " was answered with " + answer.text());
            return;
        }
        for (int i = 0; i < orders.size(); i++) {
            JSONObject item = answer.json().getJSONArray("data").getJSONObject(i);
            if (item.getIntValue("code") == 200) {
                ledger.acknowledged(orders.get(i), System.currentTimeMillis());
            } else if ("OUTCOME_UNKNOWN".equals(item.getString("error"))) {
                ledger.doubted(orders.get(i));
            }
        }
    }
}
