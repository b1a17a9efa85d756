package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** Many batches, and a broker that is lost while they are sent. A message may arrive once more for each answer that left it in doubt. */
final class TornBatches {
    private static final int MESSAGES = 3000;
    private static final int BATCH = 200;
    /** After a batch of which nothing was delivered, as the delivery loop pauses a topic. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String topic;
    private final List<DelayMessage> messages;
    private final AtomicInteger delivered = new AtomicInteger();
    private final Map<String, Integer> doubts = new HashMap<>();
    private int unavailable;

    TornBatches(String topic) {
        this.topic = topic;
        this.messages = Messages.batch(topic, MESSAGES, 500);
    }

    /** Something that happens to the broker, and ends. */
    interface Fault {
        void happen() throws Exception;
    }

    /** Delivers until each message is confirmed. The fault happens after a quarter of them. */
    void deliverAll(DeliveryChannel channel, Fault fault) throws Exception {
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try {
            Future<?> done = sender.submit(() -> send(channel));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> delivered.get() >= MESSAGES / 4 || done.isDone());
            fault.happen();
            done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            sender.shutdownNow();
        }
        assertThat(delivered.get()).isEqualTo(MESSAGES);
        assertThat(unavailable).as("messages that met the fault").isPositive();
    }

    private Void send(DeliveryChannel channel) throws InterruptedException {
        Deque<DelayMessage> waiting = new ArrayDeque<>(messages);
        while (!waiting.isEmpty()) {
            List<DelayMessage> batch = new ArrayList<>();
            while (batch.size() < BATCH && !waiting.isEmpty()) {
                batch.add(waiting.remove());
            }
            List<Delivery> fates = channel.deliver(topic, batch);
            for (int i = 0; i < batch.size(); i++) {
                if (fates.get(i).equals(Delivery.DELIVERED)) {
                    delivered.incrementAndGet();
                    continue;
                }
                assertThat(fates.get(i).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
                unavailable++;
                if (!fates.get(i).unsent()) {
                    doubts.merge(batch.get(i).id(), 1, Integer::sum);
                }
                waiting.add(batch.get(i));
            }
            if (!fates.contains(Delivery.DELIVERED)) {
                Thread.sleep(PAUSE.toMillis());
            }
        }
        return null;
    }

    /** Each message is there, and once more at most for each doubt. */
    void assertArrived(Inbox inbox) {
        Set<String> expected = messages.stream().map(DelayMessage::id).collect(Collectors.toSet());
        // Copies may arrive before the last message.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ids(inbox).keySet()).isEqualTo(expected));
        assertThat(ids(inbox))
                .allSatisfy(
                        (id, times) -> assertThat(times).as(id).isLessThanOrEqualTo(1 + doubts.getOrDefault(id, 0)));
    }

    private static Map<String, Integer> ids(Inbox inbox) {
        Map<String, Integer> ids = new HashMap<>();
        for (Arrival arrival : inbox.arrivals()) {
            ids.merge(arrival.id(), 1, Integer::sum);
        }
        return ids;
    }
}
