package io.mykit.delay.queue.pull;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.StoreBreaker;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles messages: first their rows, in one transaction, and then the index; then the consumers get their answers. Used by
 * one thread.
 *
 * <p>A crash before the commit leaves holds that end, and the leader counts an attempt. A crash between the commit and the index
 * leaves holds, too. When they end, the gate looks at the rows: it drops what has ended, and lets the others wait for the due
 * time of their rows.
 */
final class RowSettler {
    private static final Logger LOG = LoggerFactory.getLogger(RowSettler.class);

    private final MessageStore store;
    private final MessageIndex index;
    private final SettlePlans plans;
    private final IndexSteps steps;
    private final DeadCopies copies;
    private final StoreBreaker breaker;

    RowSettler(
            MessageStore store,
            MessageIndex index,
            SettlePlans plans,
            IndexSteps steps,
            DeadCopies copies,
            StoreBreaker breaker) {
        this.store = store;
        this.index = index;
        this.plans = plans;
        this.steps = steps;
        this.copies = copies;
        this.breaker = breaker;
    }

    /**
     * Settles messages with different ids, and answers their consumers.
     *
     * @return the calls whose rows changed meanwhile: their consumers have no answer yet
     */
    List<SettleCall> settle(List<SettleCall> calls) {
        Map<String, HoldState> holds = new HashMap<>();
        List<SettleCall> asked = withHolds(calls, holds);
        if (!breaker.worthTrying()) {
            steps.park(asked, holds, storeAway(null));
            return List.of();
        }
        List<SettleCall> changed = new ArrayList<>();
        try {
            Map<Boolean, List<SettleCall>> whole = asked.stream()
                    .collect(partitioningBy(call -> SettlePlans.needsMessage(call.verb(), holds.get(call.id()))));
            changed.addAll(byRow(whole.get(false), holds));
            changed.addAll(byMessage(whole.get(true), holds));
            breaker.succeeded();
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            steps.park(asked, holds, storeAway(e));
            return List.of();
        }
        return changed;
    }

    /** Reads the holds, and returns the calls for which the index answered. */
    private List<SettleCall> withHolds(List<SettleCall> calls, Map<String, HoldState> holds) {
        try {
            holds.putAll(
                    index.holds().holds(calls.stream().map(SettleCall::held).toList()));
            return calls;
        } catch (IndexUnavailableException e) {
            List<SettleCall> rest = new ArrayList<>();
            for (SettleCall call : calls) {
                if (e.buckets().isEmpty() || e.buckets().contains(index.bucketOf(call.id()))) {
                    call.fail(e);
                } else {
                    rest.add(call);
                }
            }
            if (!rest.isEmpty()) {
                holds.putAll(
                        index.holds().holds(rest.stream().map(SettleCall::held).toList()));
            }
            return rest;
        }
    }

    private List<SettleCall> byRow(List<SettleCall> calls, Map<String, HoldState> holds) {
        if (calls.isEmpty()) {
            return List.of();
        }
        Map<String, RowState> rows = new HashMap<>();
        store.states(calls.stream().map(SettleCall::id).toList()).forEach(row -> rows.put(row.id(), row));
        return carryOut(calls.stream()
                .map(call -> plans.of(call, holds.get(call.id()), rows.get(call.id()), null))
                .toList());
    }

    private List<SettleCall> byMessage(List<SettleCall> calls, Map<String, HoldState> holds) {
        if (calls.isEmpty()) {
            return List.of();
        }
        Map<String, SettleCall> left = new HashMap<>();
        calls.forEach(call -> left.put(call.id(), call));
        List<SettleCall> changed = new ArrayList<>();
        store.find(List.copyOf(left.keySet()), BodyBounds.TOGETHER, part -> {
            List<Plan> some = new ArrayList<>();
            for (StoredMessage row : part) {
                DelayMessage message = row.message();
                SettleCall call = left.remove(message.id());
                some.add(plans.of(call, holds.get(call.id()), row.state(), message));
            }
            changed.addAll(carryOut(some));
        });
        carryOut(left.values().stream()
                .map(call -> plans.of(call, holds.get(call.id()), null, null))
                .toList());
        return changed;
    }

    /** Returns the calls whose rows changed meanwhile. */
    private List<SettleCall> carryOut(List<Plan> all) {
        Set<String> left;
        try {
            left = record(all);
        } catch (StoreInDoubtException e) {
            all.stream().filter(plan -> plan.change() != null).forEach(plan -> plan.call()
                    .fail(e));
            left = Set.of();
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            if (all.size() == 1) {
                LOG.error(
                        "The database refused the outcome of message {}",
                        all.get(0).call().id(),
                        e);
                all.get(0).call().fail(e);
                return List.of();
            }
            // One of them is the cause. The others must not fail with it.
            List<SettleCall> changed = new ArrayList<>();
            all.forEach(plan -> changed.addAll(carryOut(List.of(plan))));
            return changed;
        }
        List<SettleCall> changed = new ArrayList<>();
        List<Plan> done = new ArrayList<>();
        for (Plan plan : all) {
            if (left.contains(plan.call().id())) {
                changed.add(plan.call());
            } else if (!plan.call().future().isDone()) {
                done.add(plan);
            }
        }
        steps.take(done);
        return changed;
    }

    private Set<String> record(List<Plan> all) {
        List<Transition> changes = new ArrayList<>();
        Map<String, DelayMessage> dead = new HashMap<>();
        for (Plan plan : all) {
            if (plan.change() != null) {
                changes.add(plan.change());
                if (plan.death() != null) {
                    dead.put(plan.call().id(), plan.message());
                }
            }
        }
        return changes.isEmpty() ? Set.of() : copies.move(store, changes, dead);
    }

    private static DelayException storeAway(StoreUnavailableException cause) {
        return new DelayException(
                ErrorCode.STORE_UNAVAILABLE, "the database is away: nothing was changed; try again later", cause);
    }
}
