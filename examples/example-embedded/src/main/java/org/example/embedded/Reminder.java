package org.example.embedded;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * Reminds of something after a second. The messages are in a file of SQLite, whose path is the argument: what was pushed before a crash
 * is delivered by the next run. The index is in memory, and each run builds it anew from the file.
 */
public final class Reminder {
    private Reminder() {}

    public static void main(String[] args) throws InterruptedException {
        DelayConfig config = ConfigLoader.load(Map.of("mykit.delay.delivery.default-channel", "reminders"));
        ClusterClock clock = new ClusterClock();
        CountDownLatch missing = new CountDownLatch(1);
        try (MessageStore store = MyBatisMessageStore.open(
                        config.datasource(),
                        "jdbc:sqlite:" + args[0],
                        config.flowLog(),
                        "here",
                        clock,
                        new SimpleMeterRegistry());
                MessageIndex index = new MemoryMessageIndex(new MemoryBuckets(8), clock);
                DelayQueue queue = DelayQueue.builder(config, store, index, clock)
                        .channel("reminders", DeliveryChannel.of(message -> {
                            System.out.println("Remember: " + message.body());
                            missing.countDown();
                            return Delivery.DELIVERED;
                        }))
                        .build()) {
            queue.start();
            Producers producers = queue.producers();
            NewPush push = new NewPush().topic("tea").body("the tea is ready").delay(1_000);
            producers
                    .push(producers.rules().check(push, UnaryOperator.identity()), Via.PROGRAM)
                    .join();
            missing.await();
        }
    }
}
