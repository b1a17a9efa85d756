package io.mykit.delay.client.example;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import java.time.Duration;

public final class OrderTimers {
    public static void main(String[] endpoints) {
        DelayClient client = DelayClient.builder().endpoints(endpoints).build();
        for (int hours : new int[] {1, 24}) {
            client.push(Message.builder("orders")
                    .bizKey("4711")
                    .body("not paid for " + hours + " h")
                    .delay(Duration.ofHours(hours))
                    .build());
        }
        paid(client, "4711");
    }

    /** The order is paid: its messages that wait are cancelled. */
    static void paid(DelayClient client, String order) {
        for (KeyedResult<CancelResult> timer : client.ofKey("orders", order).cancel()) {
            System.out.println(timer.id() + ": " + timer.orThrow());
        }
    }
}
