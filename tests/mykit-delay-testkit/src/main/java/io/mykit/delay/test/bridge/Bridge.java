package io.mykit.delay.test.bridge;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A queue on real stores, as a node has it: a test says when it leads, and writes the fates of its messages. */
public final class Bridge implements AutoCloseable {
    private static final String CHANNEL = "scripted";

    private final Map<String, String> settings = new HashMap<>(Map.of("mykit.delay.delivery.default-channel", CHANNEL));
    private final ClusterClock clock = new ClusterClock();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ScriptedChannel channel = new ScriptedChannel(System::currentTimeMillis);
    private final MessageStore store;
    private final MessageIndex index;
    private DelayConfig config;
    private DeliveryChannel target = channel;
    private ToldElector elector;
    private DelayQueue queue;

    /** @param settings keys with their prefix; a Redis, a datasource, and a queue name of its own at least */
    public Bridge(Map<String, String> settings) {
        this.settings.putAll(settings);
        config = ConfigLoader.load(this.settings);
        store = MyBatisMessageStore.open(
                config.datasource(), config.datasource().url(), config.flowLog(), "test-host", clock, meters);
        index = RedisMessageIndex.open(config.redis(), config.redis().uri(), config.queue(), clock, meters);
        open(index);
    }

    private void open(MessageIndex seen) {
        queue = DelayQueue.builder(config, store, seen, clock)
                .channel(CHANNEL, target)
                .meters(meters)
                .election((duty, fitness) -> elector = new ToldElector(duty))
                .build();
        queue.serve();
    }

    /** Works from now on with the index as a test wants it to be seen. */
    public void see(UnaryOperator<MessageIndex> view) {
        queue.close();
        open(view.apply(index));
    }

    /** Delivers by this channel from now on; the caller that opened it closes it. */
    public void deliverBy(DeliveryChannel other) {
        target = other;
        see(same -> same);
    }

    /** Copies the dead letters of each topic to this topic from now on. */
    public void copyDeadLettersTo(String topic) {
        settings.put("mykit.delay.delivery.policy.*.dead-letter-topic", topic);
        config = ConfigLoader.load(settings);
        see(same -> same);
    }

    /** Begins to lead. */
    public LeaderTerm lead(long epoch) {
        return elector.lead(epoch);
    }

    /** Lays the lead down gracefully, and waits for the messages that are being sent. */
    public void rest() {
        elector.close();
        queue.awaitDeliveries();
    }

    public DelayQueue queue() {
        return queue;
    }

    public Producers producers() {
        return queue.producers();
    }

    public Consumers consumers() {
        return queue.consumers();
    }

    public Operators operators() {
        return queue.operators();
    }

    public PausedTopics paused() {
        return queue.state().paused();
    }

    /** The state of recovery, as {@code /health} shows it. */
    public Health recovery() {
        return queue.checks().stream()
                .filter(part -> part.name().equals("recovery"))
                .findFirst()
                .orElseThrow()
                .check();
    }

    /** Pushes and waits for the answer. */
    public PushResult push(DelayMessage message) throws Exception {
        return pushAsync(message, false).get(30, TimeUnit.SECONDS);
    }

    /** Pushes messages beside each other and waits until all are accepted. */
    public void pushTogether(int count, IntFunction<DelayMessage> message) throws Exception {
        CompletableFuture<?>[] pushes = IntStream.range(0, count)
                .mapToObj(i -> pushAsync(message.apply(i), false))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(pushes).get(30, TimeUnit.SECONDS);
    }

    public CompletableFuture<PushResult> pushAsync(DelayMessage message, boolean replace) {
        return producers().push(new CheckedPush(message, replace), Via.PROGRAM);
    }

    public CancelResult cancel(String id) {
        return producers().cancel(id, "a test");
    }

    /** A message due {@code delayMs} from now by the shared clock. */
    public DelayMessage message(String id, String topic, long delayMs) {
        return message(id, topic, delayMs, 0);
    }

    public DelayMessage message(String id, String topic, long delayMs, long ttlSeconds) {
        long now = clock.millis();
        return new DelayMessage(id, topic, "", "", "body of " + id, delayMs, now, now + delayMs, 0, ttlSeconds);
    }

    /** A message of a producer whose clock differs from the shared one by {@code aheadMs}. */
    public DelayMessage messageOfClock(long aheadMs, String id, String topic, long delayMs) {
        DelayMessage message = message(id, topic, delayMs);
        long createTimeMs = message.createTimeMs() + aheadMs;
        long waitMs = Math.max(0, message.dueTimeMs() - createTimeMs);
        return new DelayMessage(id, topic, "", "", message.body(), waitMs, createTimeMs, message.dueTimeMs(), 0, 0);
    }

    public MessageStatus status(String id) {
        return producers().find(id).orElseThrow().status();
    }

    public DelayConfig config() {
        return config;
    }

    /** Transactions that the intake needed for the pushes so far. */
    public long groupCommits() {
        return meters.get("mykit.delay.push.commit.duration").timer().count();
    }

    /** Messages that housekeeping removed after they ended so. */
    public long removed(MessageStatus status) {
        return (long) meters.get("mykit.delay.housekeeping.removed")
                .tag("status", status.name())
                .counter()
                .count();
    }

    /** The meters with this name, summed up; {@code tags} in pairs. A channel has its meters from its first use on, so 0 = none yet. */
    public double measured(String name, String... tags) {
        return meters.find(name).tags(tags).meters().stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(Measurement::getValue)
                .sum();
    }

    public ScriptedChannel channel() {
        return channel;
    }

    public MessageStore store() {
        return store;
    }

    public MessageIndex index() {
        return index;
    }

    public ClusterClock clock() {
        return clock;
    }

    @Override
    public void close() {
        queue.close();
        index.close();
        store.close();
    }
}
