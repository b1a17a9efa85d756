package io.mykit.delay.controller.outcome;

import io.mykit.delay.queue.bucket.Hold;
import java.util.Map;

/** The hold of a message as JSON. Stateless. */
public final class HoldJson {
    private HoldJson() {}

    /** @param hold null = none */
    public static void put(Hold hold, Map<String, Object> data) {
        if (hold == null) {
            return;
        }
        data.put("leaseUntil", hold.untilMs());
        hold.receipt().ifPresent(receipt -> {
            data.put("consumer", receipt.consumer());
            data.put("takenAt", receipt.sinceMs());
        });
    }
}
