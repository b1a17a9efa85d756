package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Restores the messages of pages of rows, and counts the results. One thread. */
final class RestorePage {
    private static final String THREAD = "restore";

    private final MessageStore store;
    private final MessageIndex index;
    private final Scheduling scheduling;
    private final Withdrawals withdrawals;
    private final InstantSource clock;
    private final RestoreOrder order;
    private final RecoveryBoard board;
    private final BucketBackoff buckets;
    /** A message that is due before this time counts as overdue. */
    private final long nowMs;

    private long rows;
    private long scheduled;
    private long expired;
    private long unreachable;

    RestorePage(Recovery recovery, RestoreOrder order) {
        this.store = recovery.store();
        this.index = recovery.index();
        this.scheduling = recovery.scheduling();
        this.withdrawals = recovery.withdrawals();
        this.clock = recovery.clock();
        this.order = order;
        this.board = recovery.board();
        this.buckets = new BucketBackoff("Restore", index);
        this.nowMs = clock.millis();
    }

    /**
     * Restores the messages of a page that the order selects. If a small topic is one of many, the other rows cost only their
     * read.
     */
    void restore(List<StoredMessage> all) {
        List<StoredMessage> page =
                order.topic().map(topic -> ofTopic(topic, all)).orElse(all);
        if (page.isEmpty()) {
            return;
        }
        rows += page.size();
        Map<String, Location> known = new HashMap<>();
        Set<String> outdated = new HashSet<>();
        List<StoredMessage> asked = buckets.served(page, RestorePage::id, some -> {
            known.putAll(index.locate(some.stream().map(RestorePage::id).toList()));
            outdated.addAll(outdated(some));
        });
        unreachable += page.size() - asked.size();
        List<StoredMessage> missing = new ArrayList<>();
        for (StoredMessage row : asked) {
            Location location = known.get(row.message().id());
            if (!order.restoreOverdue() && row.message().dueTimeMs() < nowMs) {
                boolean served = !buckets.served(List.of(row), RestorePage::id, one -> expire(row, location))
                        .isEmpty();
                unreachable += served ? 0 : 1;
            } else if ((location == null || outdated.contains(row.message().id())) && !isWhereItBelongs(row)) {
                missing.add(row);
            }
        }
        if (order.dryRun()) {
            scheduled += missing.size();
        } else if (!missing.isEmpty()) {
            schedule(missing);
        }
    }

    /**
     * Returns the messages of which the index has an older version. Only messages with a version above 0 are asked for,
     * because few messages are ever replaced.
     */
    private Set<String> outdated(List<StoredMessage> page) {
        List<MessageRef> replaced = page.stream()
                .map(row -> row.message().ref())
                .filter(message -> message.version() > 0)
                .toList();
        return replaced.isEmpty() ? Set.of() : index.unknown(replaced);
    }

    RestoreReport report(long milliseconds, boolean stopped) {
        return new RestoreReport(rows, scheduled, expired, milliseconds, stopped, unreachable);
    }

    /** How many messages the order has selected so far. */
    long rows() {
        return rows;
    }

    /** How many of them stay as they are because Redis does not serve their buckets. */
    long unreachable() {
        return unreachable;
    }

    private static String id(StoredMessage row) {
        return row.message().id();
    }

    private static List<StoredMessage> ofTopic(String topic, List<StoredMessage> rows) {
        return rows.stream().filter(row -> row.message().topic().equals(topic)).toList();
    }

    /** Whether the message is due too late for the index and waits in the store. */
    private boolean isWhereItBelongs(StoredMessage row) {
        return row.status() == MessageStatus.WAIT_PUT
                && scheduling.initialStatus(row.message()) == MessageStatus.WAIT_PUT;
    }

    private void schedule(List<StoredMessage> missing) {
        List<Transition> transitions = new ArrayList<>(missing.size());
        List<NewMessage> moved = new ArrayList<>(missing.size());
        for (StoredMessage row : missing) {
            MessageStatus target = scheduling.initialStatus(row.message());
            transitions.add(transition(row, target));
            moved.add(new NewMessage(row.message(), target));
        }
        long beforeMs = clock.millis();
        Set<String> lost = store.move(transitions);
        List<NewMessage> won =
                moved.stream().filter(row -> !lost.contains(row.message().id())).toList();
        scheduling.schedule(won, beforeMs);
        scheduling.forgetEnded(won.stream().map(NewMessage::message).toList());
        scheduled += won.size();
        board.scheduled(RecoveryKind.RESTORE, won.size());
        board.restored(won.size());
    }

    private Transition transition(StoredMessage row, MessageStatus target) {
        long atMs = clock.millis();
        Transition.Step restore = new Transition.Step(MessageStatus.RESTORE, atMs, "restored by an operator");
        Transition.Step last = new Transition.Step(target, atMs);
        List<Transition.Step> steps = Transition.through(row.status(), restore, last);
        return Transition.of(row.state(), steps, THREAD);
    }

    /** Ends one overdue message. The index decides for each message whether its delivery has begun. */
    private void expire(StoredMessage row, Location location) {
        DelayMessage message = row.message();
        if (location == Location.TAKEN || location == Location.PARKED) {
            return;
        }
        if (order.dryRun()) {
            expired++;
            return;
        }
        if (!withdrawals.takeOut(message.ref(), location)) {
            return;
        }
        Transition.Step step = new Transition.Step(
                MessageStatus.EXPIRED, clock.millis(), "expired by an operator: /reStore?expire=false");
        Transition change = Transition.of(row.state(), List.of(step), THREAD);
        if (store.move(List.of(change)).isEmpty()) {
            expired++;
            withdrawals.forget(List.of(message.ref()));
        }
    }
}
