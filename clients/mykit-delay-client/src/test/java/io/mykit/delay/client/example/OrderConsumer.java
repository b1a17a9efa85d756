package io.mykit.delay.client.example;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayConsumer;

public final class OrderConsumer {
    public static void main(String[] endpoints) {
        DelayClient client = DelayClient.builder().endpoints(endpoints).build();
        DelayConsumer consumer = client.consumer()
                .topics("orders")
                .concurrency(4)
                .handler(message -> System.out.println(message.id() + ": " + message.text()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(consumer::close));
    }
}
