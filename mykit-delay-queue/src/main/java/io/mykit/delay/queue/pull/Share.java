package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.consumer.PulledMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The messages of a hand-out that one consumer gets. */
record Share(Waiter waiter, List<PulledMessage> messages) {
    boolean isOf(String consumer) {
        return waiter.order().consumer().equals(consumer);
    }

    /**
     * The same messages with receipts that name the consumer.
     *
     * @param renamed gets the receipts that change
     */
    Share named(Map<Held, String> renamed) {
        List<PulledMessage> named = new ArrayList<>(messages.size());
        for (PulledMessage message : messages) {
            Receipt before = Receipt.parse(message.receipt());
            Receipt after = before.of(waiter.order().consumer());
            if (!before.equals(after)) {
                renamed.put(new Held(message.message().id(), before.hold()), after.hold());
            }
            named.add(message.withReceipt(after.text()));
        }
        return new Share(waiter, named);
    }
}
