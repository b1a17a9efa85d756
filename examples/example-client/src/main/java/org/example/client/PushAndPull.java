package org.example.client;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayConsumer;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Pushes ten messages with delays of one to ten seconds, pulls them, and prints how late they came. Needs a server on this
 * machine, because it compares the due times with the clock of this machine. Its arguments are endpoints.
 */
public final class PushAndPull {
    private static final String TOPIC = "example";
    private static final int MESSAGES = 10;

    private PushAndPull() {}

    public static void main(String[] args) throws InterruptedException {
        String[] endpoints = args.length == 0 ? new String[] {"http://127.0.0.1:6355"} : args;
        DelayClient client = DelayClient.builder().endpoints(endpoints).build();

        List<Message> messages = IntStream.rangeClosed(1, MESSAGES)
                .mapToObj(second -> Message.builder(TOPIC)
                        .body("message " + second)
                        .delay(Duration.ofSeconds(second))
                        .build())
                .toList();
        client.pushAll(messages).forEach(PushResult::orThrow);
        System.out.println("Pushed " + MESSAGES + " messages; the first one is due in a second");

        CountDownLatch missing = new CountDownLatch(MESSAGES);
        DelayConsumer consumer = client.consumer()
                .topics(TOPIC)
                .concurrency(4)
                .handler(message -> {
                    Duration late = Duration.between(message.dueTime(), Instant.now());
                    System.out.println(message.text() + " came " + late.toMillis() + " ms after its due time");
                    missing.countDown();
                })
                .start();
        try (consumer) {
            missing.await();
        }
    }
}
