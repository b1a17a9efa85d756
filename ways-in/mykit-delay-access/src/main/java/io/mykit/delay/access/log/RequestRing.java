package io.mykit.delay.access.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A bounded queue without locks. Any thread offers; one thread polls. */
final class RequestRing {
    private final AtomicReferenceArray<RequestLine> slots;
    private final int mask;
    /** The number of lines that were polled. */
    private final AtomicLong head = new AtomicLong();
    /** The number of lines that were accepted. */
    private final AtomicLong tail = new AtomicLong();

    /** @param size a power of two */
    RequestRing(int size) {
        this.slots = new AtomicReferenceArray<>(size);
        this.mask = size - 1;
    }

    /** Whether there was room. */
    boolean offer(RequestLine line) {
        long at;
        do {
            at = tail.get();
            if (at - head.get() >= slots.length()) {
                return false;
            }
        } while (!tail.compareAndSet(at, at + 1));
        slots.set((int) at & mask, line);
        return true;
    }

    /** The oldest line; null = there is none, or its thread has its place and has not written it yet. */
    RequestLine poll() {
        long at = head.get();
        int slot = (int) at & mask;
        RequestLine line = slots.get(slot);
        if (line != null) {
            // The order matters: the place is free once it is empty.
            slots.set(slot, null);
            head.set(at + 1);
        }
        return line;
    }
}
