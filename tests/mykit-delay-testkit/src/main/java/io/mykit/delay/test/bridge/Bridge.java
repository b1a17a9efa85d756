package io.mykit.delay.test.bridge;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.delivery.PullChannel;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.duty.DeliveryDuty;
import io.mykit.delay.queue.duty.LastDeliveries;
import io.mykit.delay.queue.duty.TermWork;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.housekeeping.HousekeepingMeters;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.intake.MessageIntake;
import io.mykit.delay.queue.intake.PushResult;
import io.mykit.delay.queue.intake.ReplaceLane;
import io.mykit.delay.queue.intake.Replacement;
import io.mykit.delay.queue.intake.Rescheduler;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.pull.Pull;
import io.mykit.delay.queue.pull.PullMeters;
import io.mykit.delay.queue.pull.PullParts;
import io.mykit.delay.queue.pull.PullSettings;
import io.mykit.delay.queue.query.MessageLookup;
import io.mykit.delay.queue.query.TopicBoard;
import io.mykit.delay.queue.recovery.Clearer;
import io.mykit.delay.queue.recovery.DeadLetters;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.Restorer;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.queue.topic.TopicRetrying;
import io.mykit.delay.queue.trace.SendSpans;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** Everything between HTTP and the broker, wired as the server wires it. */
public final class Bridge implements AutoCloseable {
    private final DelayConfig config;
    private final ClusterClock clock = new ClusterClock();
    private final MessageStore store;
    private final MessageIndex index;
    private final ScriptedChannel channel = new ScriptedChannel(System::currentTimeMillis);
    private volatile DeliveryChannel target = channel;
    private final Horizon horizon;
    private final Scheduling scheduling;
    private final RecoveryBoard board;
    private final Recovery recovery;
    private final MessageIntake intake;
    private final ReplaceLane replacements;
    private final Housekeeping housekeeping;
    private final DeadMeters dead;
    private final PulledTopics pulled;
    private final TopicPauses pauses;
    private final DifferingTopics differing;
    private final RetryPolicies policies;
    private final DispatchMeters outcomes;
    private final PullChannel lapses;
    private final LastDeliveries last = new LastDeliveries(Duration.ofSeconds(20));
    private DeadCopies copies = DeadCopies.NONE;
    private DeliveryDuty duty;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    /** @param settings keys with their prefix; a Redis, a datasource, and a queue name of its own at least */
    public Bridge(Map<String, String> settings) {
        config = ConfigLoader.load(settings);
        store = MyBatisMessageStore.open(
                config.datasource(), config.datasource().url(), config.flowLog(), "test-host", clock, meters);
        index = RedisMessageIndex.open(config.redis(), config.redis().uri(), config.queue(), clock, meters);
        horizon = new Horizon(config.queue().horizon());
        scheduling = new Scheduling(store, index, clock, horizon, new ScheduleMeters(index, meters));
        board = new RecoveryBoard(meters);
        recovery = new Recovery(store, index, scheduling, clock, clock.steady(), horizon, config.recovery(), board);
        replacements = new ReplaceLane(
                new Replacement(store, index, scheduling, clock),
                config.intake().queueLimit());
        intake = new MessageIntake(
                new BatchCommit(store, scheduling, replacements),
                config.intake(),
                store.writers(),
                new TopicPolicies(config.delivery()),
                meters);
        dead = new DeadMeters(meters);
        housekeeping =
                new Housekeeping(store, index, clock.steady(), config.retention(), new HousekeepingMeters(meters));
        pulled = Channels.pulled(config.delivery());
        pauses = new TopicPauses(store.topics(), index, clock, meters);
        pauses.start();
        differing = new DifferingTopics(config.delivery());
        policies = new RetryPolicies(config.delivery(), topic -> RetryOptions.NONE);
        outcomes = new DispatchMeters(meters, List.of(), List.of());
        lapses = new PullChannel(meters);
        duty = duty(index);
        intake.start();
    }

    private DeliveryDuty duty(MessageIndex seen) {
        Dispatching dispatching = new Dispatching(
                seen,
                store,
                clock.steady(),
                clock.elapsed(),
                topic -> pulled.contains(topic)
                        ? new ChannelRoute(ChannelNames.PULL, lapses)
                        : new ChannelRoute("scripted", target),
                config.delivery(),
                pulled,
                pauses,
                differing,
                policies,
                horizon,
                outcomes,
                copies,
                SendSpans.NONE);
        return new DeliveryDuty(
                seen,
                pauses,
                differing,
                newTerm ->
                        new TermWork(newTerm, seen, config.queue(), dispatching, recovery, housekeeping, dead, last));
    }

    /** Leads from the next term on with the index as a test wants it to be seen. */
    public void see(UnaryOperator<MessageIndex> view) {
        duty = duty(view.apply(index));
    }

    /** Delivers by this channel from now on; the caller that opened it closes it. */
    public void deliverBy(DeliveryChannel other) {
        target = other;
    }

    /** Tries topics again at once, here or at the leader. */
    public TopicRetrying retrying() {
        return duty;
    }

    /** Begins to lead. */
    public LeaderTerm lead(long epoch) {
        LeaderTerm term = new LeaderTerm(epoch, () -> {});
        duty.begin(term);
        return term;
    }

    /** Lays the lead down gracefully, and waits for the messages that are being sent. */
    public void rest() {
        duty.end();
        last.close();
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
        return intake.push(message, replace);
    }

    /** Begins to serve consumers, with the settings of the server. The caller closes it. */
    public Pull pull() {
        PullParts parts =
                new PullParts(store, index, clock, clock.steady(), pulled, pauses, policies, horizon, copies, outcomes);
        Pull pull = parts.pull(PullSettings.of(config.pull()), new PullMeters(meters));
        pull.start();
        return pull;
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
        return lookup().find(id).orElseThrow().status();
    }

    public Horizon horizon() {
        return horizon;
    }

    public MessageCanceller canceller() {
        return new MessageCanceller(store, index, horizon, clock);
    }

    public Rescheduler rescheduler() {
        return new Rescheduler(store, index, scheduling, clock);
    }

    /** The topics as a leader sees them. */
    public TopicBoard topicBoard() {
        return new TopicBoard(
                index.holds(),
                store,
                pauses,
                differing,
                topic -> "scripted",
                outcomes.backingOff(),
                () -> true,
                clock,
                System::nanoTime);
    }

    public MessageLookup lookup() {
        return new MessageLookup(store, index, policies());
    }

    private RetryPolicies policies() {
        return new RetryPolicies(config.delivery(), topic -> RetryOptions.NONE);
    }

    public Restorer restorer() {
        return new Restorer(recovery);
    }

    public Clearer clearer() {
        return new Clearer(recovery);
    }

    public DelayConfig config() {
        return config;
    }

    public TopicPauses pauses() {
        return pauses;
    }

    public DifferingTopics differing() {
        return differing;
    }

    public DeadLetters deadLetters() {
        return new DeadLetters(recovery, dead);
    }

    /** Copies the dead letters of each topic to this topic from the next term on. */
    public void copyDeadLettersTo(String topic) {
        copies = new DeadCopies(any -> Optional.of(topic), scheduling::schedule);
        duty = duty(index);
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

    /** The state of recovery, as {@code /health} shows it. */
    public RecoveryBoard board() {
        return board;
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
        rest();
        pauses.close();
        intake.close();
        replacements.close();
        index.close();
        store.close();
    }
}
