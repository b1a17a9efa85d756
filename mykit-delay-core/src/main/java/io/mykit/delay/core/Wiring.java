package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.core.embedded.EmbeddedParts;
import io.mykit.delay.core.log.ProcessLog;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.delivery.PullChannel;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.duty.DeliveryDuty;
import io.mykit.delay.queue.duty.LastDeliveries;
import io.mykit.delay.queue.duty.TermWork;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.housekeeping.HousekeepingMeters;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.intake.MessageIntake;
import io.mykit.delay.queue.intake.PushRules;
import io.mykit.delay.queue.intake.ReplaceLane;
import io.mykit.delay.queue.intake.Replacement;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.pull.PullParts;
import io.mykit.delay.queue.query.MessageLookup;
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
import io.mykit.delay.queue.search.DueCensus;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.topic.TopicPauses;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes and starts all parts of the server: the only place that calls their constructors. The order from top to bottom
 * shows which part needs which. One thread starts it; any thread may close it.
 */
final class Wiring implements Service {
    private static final Duration STANDBY_DRAIN = Duration.ofSeconds(5);
    /** A node whose last request is older is used by no client. */
    private static final Duration IN_USE = Duration.ofMinutes(1);

    private final LoadedConfig loaded;
    private final String version;
    private final ProcessLog log;
    private final Consumer<List<String>> hopeless;
    private final ServiceStack services = new ServiceStack();
    /** The loaded configuration. It has the addresses of the embedded parts once these run. */
    private volatile LoadedConfig used;

    private volatile DelayConfig config;
    private volatile DelayHttpServer http;
    private volatile Drain drain;

    /** @param hopeless ends the process; receives the loops that do not run and that only a new process brings back */
    Wiring(LoadedConfig loaded, String version, ProcessLog log, Consumer<List<String>> hopeless) {
        this.loaded = loaded;
        this.version = version;
        this.log = log;
        this.hopeless = hopeless;
        this.used = loaded;
        this.config = loaded.config();
    }

    /**
     * Starts each part after the parts that it uses, and joins the election last. {@link #close()} goes in reverse order.
     * It first hands leadership over while the node still takes requests, then waits for the drain, and then closes the
     * HTTP interface, the intake and the stores.
     */
    @Override
    public void start() {
        DelayHttpServer.requireFree(loaded.config().http());
        EmbeddedParts embedded = services.start(new EmbeddedParts(loaded));
        used = loaded.with(embedded.settings());
        config = used.config();
        String host = HostName.get();
        ClusterClock clock = new ClusterClock();
        NodeMeters node = services.start(new NodeMeters(version, clock));
        PrometheusMeterRegistry meters = node.registry();
        TraceServices traces = TraceServices.start(
                services, config.tracing(), version, host + ":" + config.http().port(), meters);
        used.channels().values().forEach(channel -> channel.hosts()
                .forEach((key, servers) -> new HostCheck(key, servers).start()));
        Channels channels = services.opened(new Channels(config.delivery(), used.channels(), new PullChannel(meters)));
        channels.openAll();
        MessageIndex index = services.opened(
                RedisMessageIndex.open(config.redis(), config.redis().uri(), config.queue(), clock, meters));
        MessageStore store = services.opened(MyBatisMessageStore.open(
                config.datasource(), config.datasource().url(), config.flowLog(), host, clock, meters));
        store.claim(QueueIdentity.of(config.queue()));

        TopicPauses paused = services.start(new TopicPauses(store.topics(), index, clock, meters));
        DifferingTopics differing = new DifferingTopics(config.delivery());
        Horizon horizon = new Horizon(config.queue().horizon());
        Scheduling scheduling = new Scheduling(store, index, clock, horizon, new ScheduleMeters(index, meters));
        RecoveryBoard board = new RecoveryBoard(meters);
        Recovery recovery =
                new Recovery(store, index, scheduling, clock, clock.steady(), horizon, config.recovery(), board);
        DeadMeters dead = new DeadMeters(meters);
        TopicPolicies policies = new TopicPolicies(config.delivery());
        PullParts parts = new PullParts(
                store,
                index,
                clock,
                clock.steady(),
                Channels.pulled(config.delivery()),
                paused,
                new RetryPolicies(config.delivery(), channels::retry),
                horizon,
                policies.haveDeadLetterTopics()
                        ? new DeadCopies(policies::deadLetterTopic, scheduling::schedule)
                        : DeadCopies.NONE,
                node.ofDeliveries(config.delivery(), channels));
        LastDeliveries last = LastDeliveries.within(config.stop());
        DueCensus census = services.opened(new DueCensus(store.search(), clock));
        DeliveryDuty duty = duty(recovery, clock, channels, parts, differing, dead, last, census, traces, meters);
        LeaderElector elector = Election.elector(config, index, store, channels, host, node.counted(duty));
        log.identify(host + ":" + config.http().port(), elector);
        node.watch(services, recovery, channels, elector, config.delivery());

        ReplaceLane replacements = services.opened(new ReplaceLane(
                new Replacement(store, index, scheduling, clock),
                config.intake().queueLimit()));
        MessageIntake intake = services.start(new MessageIntake(
                new BatchCommit(store, scheduling, replacements), config.intake(), store.writers(), policies, meters));
        PullServices consumers = PullServices.start(services, parts, config.pull(), meters);

        List<HealthCheck> checks = List.of(
                store,
                index,
                clock.jumps(),
                elector,
                channels,
                board,
                paused,
                last,
                consumers.census(),
                node.watched(LoopServices.start(
                        services,
                        config,
                        duty,
                        consumers.loopsWith(intake.loops(), paused.loop()),
                        List.of(store, index),
                        hopeless)));
        SearchServices search = new SearchServices(census, recovery, parts, config);
        Backend backend = new Backend(
                intake::push,
                new PushRules(new MessageIds(clock)::next, clock, channels::objection),
                node.counted(new MessageCanceller(store, index, horizon, clock))::cancel,
                new MessageLookup(store, index, parts.policies())::find,
                new Restorer(recovery),
                new Clearer(recovery)::clear,
                new DeadLetters(recovery, dead),
                board,
                consumers.pull(),
                consumers.settings(),
                consumers.outcomes(),
                search.topics(channels, elector, differing),
                paused,
                duty,
                channels::route,
                clock,
                elector,
                checks,
                version,
                ConsoleServices.start(
                        services,
                        used,
                        host,
                        version,
                        recovery,
                        board,
                        elector,
                        checks,
                        parts.meters(),
                        differing,
                        meters,
                        clock),
                search.open(),
                LogServices.start(services, log, config.log(), clock, meters),
                traces.requests());
        http = services.start(new DelayHttpServer(config.http(), backend, meters));
        drain = services.start(new Drain(this::drainPeriod, http::announceStop, last));
        services.start(elector);
    }

    @Override
    public void close() {
        Drain own = drain;
        if (own != null) {
            own.begin();
        }
        services.close();
    }

    /** Ends the waits of a running close: for clients, and for the outcomes of messages that are being sent. */
    void hurry() {
        Drain own = drain;
        if (own != null) {
            own.cut();
        }
    }

    /**
     * The time in which a close still serves requests. A standalone node needs none: its clients have no other node. Neither does a node
     * that no client has used lately: no load balancer sends it requests.
     */
    Duration drainPeriod() {
        return config.http().drain().orElseGet(() -> needsDrain() ? STANDBY_DRAIN : Duration.ZERO);
    }

    private boolean needsDrain() {
        return config.mode() != DelayConfig.Mode.STANDALONE && http != null && http.hasServedWithin(IN_USE);
    }

    /** The lines about this server, for a person. Only after the start. */
    List<String> describe() {
        return Banner.lines(loaded, used, http.port());
    }

    private DeliveryDuty duty(
            Recovery recovery,
            ClusterClock clock,
            Channels channels,
            PullParts parts,
            DifferingTopics differing,
            DeadMeters dead,
            LastDeliveries last,
            DueCensus census,
            TraceServices traces,
            MeterRegistry meters) {
        MessageIndex index = recovery.index();
        Dispatching dispatching = new Dispatching(
                index,
                recovery.store(),
                clock.steady(),
                clock.elapsed(),
                channels::route,
                config.delivery(),
                parts.pulled(),
                parts.paused(),
                differing,
                parts.policies(),
                recovery.horizon(),
                parts.meters(),
                parts.copies(),
                traces.sends());
        Housekeeping housekeeping = new Housekeeping(
                recovery.store(), index, recovery.steady(), config.retention(), new HousekeepingMeters(meters));
        return new DeliveryDuty(index, parts.paused(), differing, term -> {
            // The first visitor of the console finds numbers.
            census.begin();
            return new TermWork(term, index, config.queue(), dispatching, recovery, housekeeping, dead, last);
        });
    }
}
