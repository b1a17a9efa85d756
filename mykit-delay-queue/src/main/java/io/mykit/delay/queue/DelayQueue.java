package io.mykit.delay.queue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.InstalledChannel;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.duty.DeliveryDuty;
import io.mykit.delay.queue.duty.LastDeliveries;
import io.mykit.delay.queue.duty.LoopMeters;
import io.mykit.delay.queue.duty.LoopWatch;
import io.mykit.delay.queue.duty.TermWork;
import io.mykit.delay.queue.duty.UsableParts;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.housekeeping.HousekeepingMeters;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.intake.MessageIntake;
import io.mykit.delay.queue.intake.ReplaceLane;
import io.mykit.delay.queue.intake.Replacement;
import io.mykit.delay.queue.leader.CountedDuty;
import io.mykit.delay.queue.leader.Fitness;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.leader.StandaloneElector;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.outcome.OutcomeWatch;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.pull.Pull;
import io.mykit.delay.queue.pull.PullCensus;
import io.mykit.delay.queue.pull.PullMeters;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.state.QueueState;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.topic.SettingKinds;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.queue.trace.SendSpans;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The engine of one node: the only way into it. {@link #producers()}, {@link #consumers()} and {@link #operators()} are its faces. It
 * needs from outside what the {@link Builder} names, and closes none of that but the elector.
 *
 * <p>{@link #start()} takes pushes and pulls, and joins the election. A server calls {@link #serve()} instead, opens its ports, and then
 * starts the {@link #elector()}; at its stop it closes the elector first, goes on serving, calls {@link #awaitDeliveries()}, closes its
 * ports, and then this object. Each method is thread-safe; one thread starts it.
 */
public final class DelayQueue implements Service {
    private static final Backoff CENSUS_PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    /** A round of a loop makes some calls of the store and of the index. */
    private static final int CALLS = 4;

    private final DelayConfig config;
    private final MessageStore store;
    private final MessageIndex index;
    private final ClusterClock clock;
    private final Channels channels;
    private final MeterRegistry meters;
    private final SendSpans spans;

    private final TopicPolicies topicPolicies;
    private final RetryPolicies policies;
    private final Pulled pulled;
    private final Horizon horizon;
    private final Scheduling scheduling;
    private final Recovery recovery;
    private final RecoveryBoard board;
    private final TopicPauses paused;
    private final DifferingTopics differing;
    private final DispatchMeters deliveries;
    private final DeadCopies copies;
    private final DeadMeters dead;
    private final LastDeliveries last;
    private final DeliveryDuty duty;
    private final LeaderElector elector;
    private final List<Runnable> termListeners = new CopyOnWriteArrayList<>();

    private final ReplaceLane replacements;
    private final MessageIntake intake;
    private final Pull pull;
    private final PullCensus census;
    private final OutcomeWatch outcomes;
    private final LoopWatch loops;
    private final ServiceStack services = new ServiceStack();

    private final Producers producers;
    private final Operators operators;
    private final QueueState state;

    private DelayQueue(Builder outside) {
        config = outside.config;
        store = outside.store;
        index = outside.index;
        clock = outside.clock;
        channels = outside.channels;
        meters = outside.meters;
        spans = outside.spans;

        topicPolicies = new TopicPolicies(config.delivery().policy());
        policies = new RetryPolicies(config.delivery(), topicPolicies, channels::retry);
        pulled = channels.pulled();
        horizon = new Horizon(config.queue().horizon());
        scheduling = new Scheduling(store, index, clock, horizon, pulled::contains, new ScheduleMeters(index, meters));
        board = new RecoveryBoard(meters);
        recovery = new Recovery(store, index, scheduling, clock, horizon, config.recovery(), board);
        TopicMeters topics = TopicMeters.of(config, meters, clock, this::leads);
        var settings = SettingKinds.all(topicPolicies, channels, outside.namespaces, topics);
        paused = new TopicPauses(store.topics(), index, clock, settings, meters);
        differing = new DifferingTopics(config.delivery());
        deliveries = new DispatchMeters(meters, topics, channels.names());
        copies = DeadCopies.of(topicPolicies, scheduling::schedule, outside.namespaces);
        dead = new DeadMeters(meters);
        last = LastDeliveries.within(config.stop());
        duty = duty();
        elector =
                outside.election.apply(new CountedDuty(duty, meters), new UsableParts(List.of(index, store), channels));

        replacements = new ReplaceLane(
                new Replacement(store, index, scheduling, clock),
                config.intake().queueLimit());
        intake = intake();
        PullSettings limits = PullSettings.of(config.pull());
        pull = pull(limits);
        channels.onChange(this::channelChanged);
        census = new PullCensus(index.holds(), pulled, clock, limits.warnReady(), meters);
        outcomes = new OutcomeWatch(store, limits.maxWaiting(), meters);
        loops = loops(outside.hopeless);

        producers = new ProducerFace(
                store,
                index,
                clock,
                horizon,
                scheduling,
                policies,
                channels,
                intake,
                outcomes,
                deliveries,
                outside.namespaces,
                meters);
        operators = new OperatorFace(recovery, dead, paused, duty, channels, policies, topics, config.delivery());
        state = shown();
    }

    /**
     * What a queue needs from outside. All of it belongs to the caller, who closes it after the queue.
     *
     * @param clock the clock with which both stores were opened
     */
    public static Builder builder(DelayConfig config, MessageStore store, MessageIndex index, ClusterClock clock) {
        return new Builder(config, store, index, clock);
    }

    private MessageIntake intake() {
        BatchCommit commit = new BatchCommit(store, scheduling, replacements);
        return new MessageIntake(commit, config.intake(), store.writers(), topicPolicies, meters);
    }

    private void channelChanged(String topic) {
        // The dispatcher asks which topics differ, so it is told after them.
        differing.use(channels.byName());
        duty.channelChanged(topic);
        pull.channelChanged(topic);
        LoopMeters.register(loops, meters);
    }

    private boolean leads() {
        return elector.role() == LeaderElector.Role.LEADER;
    }

    private QueueState shown() {
        return new QueueState(
                config,
                store,
                index,
                clock,
                channels,
                elector,
                List.of(store, index, clock.jumps(), elector, channels, board, paused, last, census, loops),
                board,
                paused,
                differing,
                deliveries.backingOff(),
                deliveries.classes(),
                deliveries.minutes(),
                deliveries.topics());
    }

    private DeliveryDuty duty() {
        Dispatching dispatching = new Dispatching(
                index,
                store,
                clock.steady(),
                clock.elapsed(),
                channels::route,
                config.delivery(),
                pulled,
                paused,
                differing,
                policies,
                horizon,
                deliveries,
                copies,
                spans);
        Housekeeping housekeeping =
                new Housekeeping(store, index, clock.steady(), config.retention(), new HousekeepingMeters(meters));
        return new DeliveryDuty(index, paused, differing, term -> {
            termListeners.forEach(Runnable::run);
            return new TermWork(term, index, config.queue(), dispatching, recovery, housekeeping, dead, last);
        });
    }

    private Pull pull(PullSettings limits) {
        return Pull.of(
                store,
                index,
                clock,
                clock.steady(),
                pulled,
                paused,
                policies,
                horizon,
                copies,
                deliveries,
                new PullMeters(meters),
                limits,
                Pull.workers());
    }

    private LoopWatch loops(Consumer<List<String>> hopeless) {
        Supplier<List<LoopRunner>> always =
                () -> Stream.of(intake.loops(), List.of(paused.loop()), pull.loops(), List.of(outcomes.loop()))
                        .flatMap(List::stream)
                        .toList();
        Duration timeouts = config.datasource().timeout().plus(config.redis().timeout());
        return new LoopWatch(duty, always, timeouts.multipliedBy(CALLS), List.of(store, index), hopeless);
    }

    /** Serves, and joins the election. */
    @Override
    public void start() {
        serve();
        elector.start();
    }

    /**
     * Takes pushes, pulls and all other calls. This node does not lead before the {@link #elector()} is started.
     *
     * @throws io.mykit.delay.config.ConfigException if the database belongs to another queue
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE
     */
    public void serve() {
        store.claim(QueueIdentity.of(config.queue()));
        services.start(paused);
        services.opened(replacements);
        services.start(intake);
        services.start(pull);
        services.start(new LoopRunner("pull-census", census, CENSUS_PAUSE));
        services.start(outcomes);
        services.start(loops);
        LoopMeters.register(loops, meters);
    }

    /** Decides whether this node leads. A server starts and closes it by itself, see the class comment. */
    public LeaderElector elector() {
        return elector;
    }

    /** Waits for the outcomes of the messages that this node still sends after the end of its term, within the time of a stop. */
    public void awaitDeliveries() {
        last.close();
    }

    /** Ends the wait of {@link #awaitDeliveries()} now. */
    public void cutDeliveries() {
        last.cut();
    }

    /** Gives up leadership, waits for the outcomes of what is being sent, and ends all other work. Each step is bounded in time. */
    @Override
    public void close() {
        try {
            elector.close();
            awaitDeliveries();
        } finally {
            // Nothing may go on without the stores, which the caller closes next.
            services.close();
        }
    }

    public Producers producers() {
        return producers;
    }

    public Consumers consumers() {
        return pull;
    }

    public Operators operators() {
        return operators;
    }

    /** What this node shows of itself. */
    public QueueState state() {
        return state;
    }

    /** The health of the parts, those from outside included. {@code store} decides whether a node is ready, {@code loops} whether it lives. */
    public List<HealthCheck> checks() {
        return state.checks();
    }

    /** Adds a listener that runs when this node begins to lead, on the thread of the elector. It must return at once. */
    public void onTerm(Runnable listener) {
        termListeners.add(listener);
    }

    /** One node that leads alone: it takes the next epoch of the queue. */
    private static BiFunction<LeaderDuty, Fitness, LeaderElector> alone(
            DelayConfig config, MessageStore store, MessageIndex index) {
        String row = QueueIdentity.of(config.queue()).row();
        return (duty, fitness) -> new StandaloneElector(() -> store.nextEpoch(row, index.highestEpoch() + 1), duty);
    }

    /** What a queue needs from outside. For one thread. */
    public static final class Builder {
        private final DelayConfig config;
        private final MessageStore store;
        private final MessageIndex index;
        private final ClusterClock clock;
        private final Map<String, InstalledChannel> ownChannels = new HashMap<>();
        private Channels channels;
        private MeterRegistry meters = new SimpleMeterRegistry();
        private SendSpans spans = SendSpans.NONE;
        private BiFunction<LeaderDuty, Fitness, LeaderElector> election;
        private Consumer<List<String>> hopeless = loops -> {};
        private Namespaces namespaces = Namespaces.NONE;

        private Builder(DelayConfig config, MessageStore store, MessageIndex index, ClusterClock clock) {
            this.config = config;
            this.store = store;
            this.index = index;
            this.clock = clock;
            this.election = alone(config, store, index);
        }

        /**
         * A channel of this program's own.
         *
         * @param name as in {@code delivery.default-channel} and {@code delivery.topics}
         */
        public Builder channel(String name, DeliveryChannel own) {
            ownChannels.put(name, Channels.installed(name, own, config.delivery()));
            return this;
        }

        /** The channels of the topics, instead of those of {@link #channel}. */
        public Builder channels(Channels opened) {
            channels = opened;
            return this;
        }

        /** The registry of the metrics; if it is not called, they go to one that nobody reads. */
        public Builder meters(MeterRegistry registry) {
            meters = registry;
            return this;
        }

        /** The spans of deliveries; if it is not called, there are none. */
        public Builder spans(SendSpans made) {
            spans = made;
            return this;
        }

        /**
         * How a leader is found; if it is not called, this node leads alone.
         *
         * @param made makes the elector, which is not started yet, of the work that the leader does, and of the parts that this node cannot use:
         *     an elector may give way to a node that can use them
         */
        public Builder election(BiFunction<LeaderDuty, Fitness, LeaderElector> made) {
            election = made;
            return this;
        }

        /**
         * Receives the loops that do not run, and that only a new process brings back, once; must not block. If it is not called, the log
         * alone tells of them.
         */
        public Builder hopeless(Consumer<List<String>> receiver) {
            hopeless = receiver;
            return this;
        }

        /**
         * Whether a namespace of this name exists; must not block. A message is in one with its topic and its id, or with neither. If it is
         * not called, there are none.
         */
        public Builder namespaces(Predicate<String> known) {
            namespaces = new Namespaces(known);
            return this;
        }

        /**
         * Puts the queue together. It does nothing before its start.
         *
         * @throws io.mykit.delay.config.ConfigException if the configuration names a channel that is not among the given ones
         */
        public DelayQueue build() {
            if (channels == null) {
                channels = Channels.open(config.delivery(), ownChannels, meters);
            }
            return new DelayQueue(this);
        }
    }
}
