package io.mykit.delay.client.example;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import java.time.Duration;

public final class OrderProducer {
    public static void main(String[] endpoints) {
        DelayClient client = DelayClient.builder().endpoints(endpoints).build();
        String id = client.push(Message.builder("orders")
                .body("order 4711 was not paid")
                .delay(Duration.ofMinutes(30))
                .build());
        System.out.println("pushed " + id);
        System.out.println(client.cancel(id));
    }
}
