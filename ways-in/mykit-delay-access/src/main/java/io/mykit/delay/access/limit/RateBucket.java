package io.mykit.delay.access.limit;

import io.mykit.delay.queue.bucket.SharedLimits.RateOrder;
import io.mykit.delay.queue.bucket.SharedLimits.RateShare;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The part of one rate that this node may spend. It takes slices of a tenth of a second from the bucket that all nodes share, ahead of their
 * use, so that calls seldom wait for Redis. What passes beyond them is a debt, which the next order pays. While Redis is away or slow, the node
 * lets pass its part of the rate: the rate divided by the number of nodes.
 *
 * <p>Thread-safe. At most one order is under way. Futures are completed outside the lock, because what follows may ask another bucket.
 */
final class RateBucket {
    /** Slices in a second. */
    private static final int SLICES = 10;
    /** A Redis that has not answered for this time is away until it does. */
    private static final long SLOW_NANOS = Duration.ofMillis(200).toNanos();
    /** The shortest time between an order that was not filled and the next one. */
    private static final long SPACING_NANOS = Duration.ofMillis(20).toNanos();
    /** The time between two orders while Redis is away. */
    private static final long AWAY_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long IDLE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final double SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final String owner;
    private final String over;
    private final Consumer<RateBucket> orders;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

    private int perSecond = 1;
    private int nodes = 1;
    /** Items that may pass. Negative = a debt that the bucket of all nodes does not know yet. */
    private double items;

    private boolean fresh = true;
    private boolean ordered;
    private long orderedNanos;
    private long orderedDebt;
    private long orderedItems;
    private long nextOrderNanos;
    private boolean away;
    /** The items before Redis went away. */
    private double itemsBefore;
    /** Items that passed since then. */
    private double spentAway;

    private long refilledNanos;
    private long usedNanos;

    /**
     * @param owner the name of the bucket in Redis
     * @param over what its refusals say
     * @param orders gets this bucket when it wants an order; must not block
     * @param nowNanos of a clock that only goes on, as in all methods
     */
    RateBucket(String owner, String over, Consumer<RateBucket> orders, long nowNanos) {
        this.owner = owner;
        this.over = over;
        this.orders = orders;
        this.nextOrderNanos = nowNanos;
        this.usedNanos = nowNanos;
    }

    /**
     * Takes items if one is there; see {@link CallLimits#ask}.
     *
     * @param rate items a second of all nodes
     * @param liveNodes the number of nodes that share it
     */
    CompletableFuture<Permit> take(int count, int rate, int liveNodes, long nowNanos) {
        List<Answer> late = List.of();
        CompletableFuture<Permit> answer;
        synchronized (this) {
            used(rate, liveNodes, nowNanos);
            if (ordered && !away && nowNanos - orderedNanos > SLOW_NANOS) {
                late = goAway(nowNanos);
            }
            answer = take(count, nowNanos);
        }
        late.forEach(Answer::give);
        return answer;
    }

    private CompletableFuture<Permit> take(int count, long nowNanos) {
        refill(nowNanos);
        if (waiting.isEmpty() && items >= 1) {
            spend(count);
            orderAhead(nowNanos);
            return Permit.GO_AT_ONCE;
        }
        if (away || (!ordered && nowNanos - nextOrderNanos < 0)) {
            orderAhead(nowNanos);
            return CompletableFuture.completedFuture(refused(nowNanos));
        }
        Waiter waiter = new Waiter(count, new CompletableFuture<>());
        waiting.add(waiter);
        wantOrder(nowNanos);
        return waiter.permit();
    }

    /** Takes items that passed already. */
    synchronized void passed(int count, int rate, int liveNodes, long nowNanos) {
        used(rate, liveNodes, nowNanos);
        refill(nowNanos);
        spend(count);
        orderAhead(nowNanos);
    }

    private void spend(int count) {
        items -= count;
        spentAway += count;
    }

    /** Puts items back that another bucket refused. */
    synchronized void putBack(int count) {
        spend(-count);
    }

    private void used(int rate, int liveNodes, long nowNanos) {
        perSecond = rate;
        nodes = liveNodes;
        usedNanos = nowNanos;
    }

    private void orderAhead(long nowNanos) {
        boolean isFree = nowNanos - nextOrderNanos >= 0;
        // All nodes have to know a debt soon, so it does not wait for the time of the next order.
        boolean isUrgent = isInDebt() && !away;
        if (isUrgent || (isFree && items < slice() / 2.0)) {
            wantOrder(nowNanos);
        }
    }

    /** Parts of an item are no debt: they come from the time in which Redis is away. */
    private boolean isInDebt() {
        return items <= -1;
    }

    private void wantOrder(long nowNanos) {
        if (!ordered) {
            ordered = true;
            orderedNanos = nowNanos;
            orders.accept(this);
        }
    }

    private int slice() {
        return Math.max(1, perSecond / SLICES);
    }

    /** The order that is wanted. Exactly one of {@link #filled} and {@link #failed} must follow. */
    synchronized RateOrder order() {
        long needed = waiting.stream().mapToLong(Waiter::count).sum();
        double own = settled();
        orderedDebt = (long) Math.floor(Math.max(0, -own));
        orderedItems = (long) Math.max(0, Math.ceil(Math.min(perSecond, needed + slice()) - Math.max(0, own)));
        return new RateOrder(owner, perSecond, orderedDebt, orderedItems);
    }

    void filled(RateShare share, long nowNanos) {
        List<Answer> answers;
        synchronized (this) {
            items = settled() + orderedDebt + share.given();
            ordered = false;
            away = false;
            fresh = false;
            boolean isFull = share.given() >= orderedItems;
            nextOrderNanos = isFull
                    ? nowNanos
                    : nowNanos + Math.max(SPACING_NANOS, TimeUnit.MILLISECONDS.toNanos(share.waitMs()));
            answers = letPass();
            if (!waiting.isEmpty()) {
                if (isFull) {
                    wantOrder(nowNanos);
                } else {
                    refuseAll(nowNanos, answers);
                }
            } else if (isInDebt()) {
                // A debt that came while the order was under way.
                wantOrder(nowNanos);
            }
        }
        answers.forEach(Answer::give);
    }

    /** Redis gave no answer. It may have carried out the order; then the debt is paid twice, and no item passes too early. */
    void failed(long nowNanos) {
        List<Answer> answers;
        synchronized (this) {
            ordered = false;
            nextOrderNanos = nowNanos + AWAY_NANOS;
            answers = goAway(nowNanos);
        }
        answers.forEach(Answer::give);
    }

    private List<Answer> goAway(long nowNanos) {
        if (!away) {
            away = true;
            itemsBefore = items;
            spentAway = 0;
            refilledNanos = nowNanos;
            if (fresh) {
                fresh = false;
                items += Math.max(1, ownRate());
            }
        }
        refill(nowNanos);
        List<Answer> answers = letPass();
        refuseAll(nowNanos, answers);
        return answers;
    }

    private List<Answer> letPass() {
        List<Answer> answers = new ArrayList<>();
        while (!waiting.isEmpty() && items >= 1) {
            Waiter first = waiting.remove();
            spend(first.count());
            answers.add(new Answer(first, Permit.GO));
        }
        return answers;
    }

    private void refuseAll(long nowNanos, List<Answer> answers) {
        while (!waiting.isEmpty()) {
            answers.add(new Answer(waiting.remove(), refused(nowNanos)));
        }
    }

    private Permit refused(long nowNanos) {
        long nanos = away ? (long) ((1 - items) / ownRate() * SECOND_NANOS) : nextOrderNanos - nowNanos;
        return Permit.refused(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999), over + perSecond + " a second");
    }

    /**
     * The items in the account that this node has with Redis. It got none while Redis was away, and what it spent is a debt: up to its part of
     * the second that the bucket of all nodes holds after that time.
     */
    private double settled() {
        return away ? itemsBefore - Math.min(spentAway, Math.max(1, ownRate())) : items;
    }

    private double ownRate() {
        return (double) perSecond / nodes;
    }

    private void refill(long nowNanos) {
        if (away) {
            double most = Math.max(items, Math.max(1, ownRate()));
            items = Math.min(most, items + ownRate() * (nowNanos - refilledNanos) / SECOND_NANOS);
            refilledNanos = nowNanos;
        }
    }

    /** Whether the bucket may be forgotten: a new one would hold nearly the same. */
    synchronized boolean isIdle(long nowNanos) {
        refill(nowNanos);
        return !ordered && items >= 0 && nowNanos - usedNanos > IDLE_NANOS;
    }

    private record Waiter(int count, CompletableFuture<Permit> permit) {}

    private record Answer(Waiter waiter, Permit permit) {
        void give() {
            waiter.permit().complete(permit);
        }
    }
}
