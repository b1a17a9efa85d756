package io.mykit.delay.queue.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The room of a topic whose channel may be asynchronous: its limits, the places of its receiver, and the bound for bodies in flight.
 * While the receiver is full, the messages wait in their ready lists. For one thread at a time.
 *
 * <p>A topic with nothing in flight may send one message, however full the receiver is. So the end of a message in flight is the only
 * event that can make a full room free, and no topic starves. If the bodies of other topics have used up the memory, the topic is
 * looked at again after a while. A topic whose messages find no place at receivers that they name themselves is slowed down ({@link
 * FullPace}).
 */
final class ReceiverRoom implements TopicRoom {
    /** The time after which a topic asks for memory again, if it has nothing in flight. */
    static final long MEMORY_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TopicRoom limits;
    private final Receiver receiver;
    private final FullPace pace;
    private int reserved;

    ReceiverRoom(TopicRoom limits, Receiver receiver, LongSupplier nanoTime) {
        this.limits = limits;
        this.receiver = receiver;
        this.pace = new FullPace(nanoTime);
    }

    @Override
    public boolean isLimited() {
        return limits.isLimited();
    }

    @Override
    public int free() {
        int allowed = Math.min(limits.free(), pace.most() - reserved);
        return allowed <= 0 ? 0 : Math.min(allowed, places());
    }

    private int places() {
        int free = receiver.free();
        if (free == Integer.MAX_VALUE) {
            return free;
        }
        return Math.max(isIdle() && receiver.hasMemory() ? 1 : 0, free - reserved);
    }

    private boolean isIdle() {
        return reserved == 0 && !receiver.isBusy();
    }

    @Override
    public void reserve(int messages) {
        reserved += messages;
        limits.reserve(messages);
    }

    @Override
    public void cancel(int messages) {
        reserved -= messages;
        limits.cancel(messages);
    }

    @Override
    public void sent(int messages) {
        reserved -= messages;
        limits.sent(messages);
    }

    @Override
    public void answered(int messages) {
        limits.answered(messages);
    }

    @Override
    public void full(int messages) {
        pace.full(messages);
    }

    @Override
    public long nanosUntilFree() {
        long restNanos = pace.leftNanos();
        if (restNanos > 0) {
            return restNanos;
        }
        if (limits.free() > 0 && free() == 0) {
            return isIdle() ? MEMORY_LOOK_NANOS : -1;
        }
        return limits.nanosUntilFree();
    }

    @Override
    public long nanosUntilWhole() {
        return reserved > 0 ? -1 : limits.nanosUntilWhole();
    }

    /** The receiver of one topic. Its calls do not block. */
    interface Receiver {
        /** How many more messages of the topic may be in flight; {@link Integer#MAX_VALUE} = as many as there are. */
        int free();

        /** Whether messages of the topic are in flight. */
        boolean isBusy();

        /** Whether there is memory for one message of a topic that has none in flight. */
        boolean hasMemory();
    }
}
