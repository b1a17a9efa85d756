package io.mykit.delay.test.bridge;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Delivers into memory, or runs the script that a test gave for a topic. Thread-safe. */
public final class ScriptedChannel implements DeliveryChannel {
    private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final Map<String, Function<DelayMessage, Delivery>> scripts = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final LongSupplier clockMs;

    /** @param clockMs the shared clock, epoch milliseconds */
    public ScriptedChannel(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** From now on the script decides the fates of this topic's messages. The channel passes its exceptions on. */
    public void script(String topic, Function<DelayMessage, Delivery> fate) {
        scripts.put(topic, fate);
    }

    /** From now on this topic's messages arrive. */
    public void heal(String topic) {
        scripts.remove(topic);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        attempts.add(new Attempt(topic, batch.size(), clockMs.getAsLong()));
        List<Delivery> fates = new ArrayList<>();
        for (DelayMessage message : batch) {
            Function<DelayMessage, Delivery> script = scripts.get(topic);
            Delivery fate = script == null ? Delivery.DELIVERED : script.apply(message);
            if (fate != null && fate.kind() == Delivery.Kind.DELIVERED) {
                arrivals.add(new Arrival(message, clockMs.getAsLong()));
            }
            fates.add(fate);
        }
        return fates;
    }

    public List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    public List<Arrival> arrivals(String id) {
        return arrivals.stream().filter(a -> a.message().id().equals(id)).toList();
    }

    /** The batches that were tried for a topic, with any outcome. */
    public List<Attempt> attempts(String topic) {
        return attempts.stream().filter(a -> a.topic().equals(topic)).toList();
    }

    @Override
    public Health health() {
        return Health.up(Map.of());
    }

    @Override
    public void close() {}

    /** A message that arrived; time by the shared clock, epoch milliseconds. */
    public record Arrival(DelayMessage message, long atMs) {}

    /** A batch that was tried; time by the shared clock, epoch milliseconds. */
    public record Attempt(String topic, int size, long atMs) {}
}
