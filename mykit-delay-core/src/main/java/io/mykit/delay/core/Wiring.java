package io.mykit.delay.core;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.NodeLimits;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.core.embedded.EmbeddedParts;
import io.mykit.delay.core.log.ProcessLog;
import io.mykit.delay.ports.PortBackend;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.operate.NodeView;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes and starts all parts of the server: what the engine needs from outside, the engine, and what stands above it. The order from top
 * to bottom shows which part needs which. One thread starts it; any thread may close it.
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
    private volatile GrpcServices grpc = GrpcServices.NONE;
    private volatile PortServices ports = PortServices.NONE;
    private volatile IngestServices ingest = IngestServices.NONE;
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
        requireFreePorts();
        EmbeddedParts embedded = services.start(new EmbeddedParts(loaded));
        used = loaded.with(embedded.settings()).with(PortServices.rules(loaded));
        config = used.config();
        String host = HostName.get();
        ClusterClock clock = new ClusterClock();
        NodeMeters node = services.start(new NodeMeters(version, clock));
        PrometheusMeterRegistry meters = node.registry();
        Optional<ServerTls> tls = tls(clock, meters);
        TraceServices traces = TraceServices.start(
                services, config.tracing(), version, host + ":" + config.http().port(), meters);
        checkHosts();
        Channels channels = services.opened(Channels.open(config.delivery(), used.channels(), meters));
        MessageIndex index = services.opened(
                RedisMessageIndex.open(config.redis(), config.redis().uri(), config.queue(), clock, meters));
        MessageStore store = services.opened(MyBatisMessageStore.open(
                config.datasource(), config.datasource().url(), config.flowLog(), host, clock, meters));
        TokenTable tokens = tokens(store, index, clock);
        DelayQueue.Builder builder = DelayQueue.builder(config, store, index, clock)
                .channels(channels)
                .meters(meters)
                .spans(traces.sends())
                .namespaces(tokens::isNamespace)
                .hopeless(hopeless);
        Election.ofCluster(config, host).ifPresent(builder::election);
        DelayQueue queue = services.opened(builder.build());
        log.identify(host + ":" + config.http().port(), queue.elector());
        queue.serve();
        NodeView view = services.start(
                new NodeView(queue, ConsoleServices.identity(used, host, version, clock), node.scrapes(), meters));
        Logging logging = LogServices.start(services, log, config.log(), clock, meters);
        NodeLimits limits = limits(index, tokens, clock, meters);
        grpc = GrpcServices.of(config, queue, logging.requests(), traces.requests(), tls, tokens, limits, meters);
        AuditTrail audit = new AuditTrail(store.audit(), clock);
        ports = ports(queue, view, clock, logging, tls, tokens, audit, limits, meters);
        ingest = IngestServices.of(used, queue, clock, meters);
        Backend backend = new Backend(
                queue.producers(),
                queue.consumers(),
                queue.operators(),
                view,
                clock,
                queue.elector(),
                checks(ingest.with(ports.with(grpc.with(queue.checks()))), tls),
                version,
                ConsoleServices.parts(used),
                logging,
                traces.requests(),
                tls,
                tokens,
                audit,
                limits);
        startPorts(backend, meters);
        join(queue);
    }

    private void startPorts(Backend backend, PrometheusMeterRegistry meters) {
        // First, because a supervisor asks HTTP whether this node is ready.
        grpc.start(services);
        ports.start(services);
        http = services.start(new DelayHttpServer(config.http(), backend, meters));
        ingest.start(services);
    }

    private void join(DelayQueue queue) {
        drain = services.start(
                new Drain(this::drainPeriod, this::announceStop, queue::awaitDeliveries, queue::cutDeliveries));
        services.start(queue.elector());
    }

    private void requireFreePorts() {
        DelayHttpServer.requireFree(loaded.config().http());
        GrpcServices.requireFree(loaded.config().grpcApi());
        PortServices.requireFree(loaded);
    }

    private Optional<ServerTls> tls(ClusterClock clock, PrometheusMeterRegistry meters) {
        Optional<ServerTls> tls = ServerTls.of(config.http(), clock, meters);
        tls.ifPresent(services::start);
        return tls;
    }

    private PortServices ports(
            DelayQueue queue,
            NodeView view,
            ClusterClock clock,
            Logging logging,
            Optional<ServerTls> tls,
            TokenTable tokens,
            AuditTrail audit,
            NodeLimits limits,
            PrometheusMeterRegistry meters) {
        PortBackend backend = new PortBackend(
                queue.producers(),
                queue.consumers(),
                queue.operators(),
                view,
                clock,
                logging.requests(),
                tls,
                tokens,
                audit,
                limits,
                version);
        return PortServices.of(used, backend, meters);
    }

    private void checkHosts() {
        used.channels().values().forEach(channel -> channel.hosts()
                .forEach((key, servers) -> new HostCheck(key, servers).start()));
    }

    private TokenTable tokens(MessageStore store, MessageIndex index, ClusterClock clock) {
        TokenTable tokens = services.start(new TokenTable(store.tokens(), index::announceTopics, clock));
        index.onTopics(tokens::changed);
        return tokens;
    }

    private NodeLimits limits(
            MessageIndex index, TokenTable tokens, ClusterClock clock, PrometheusMeterRegistry meters) {
        LiveNodes nodes = new LiveNodes(index.notes(), clock);
        return services.start(new NodeLimits(index.limits(), tokens::limits, nodes::count, clock, meters));
    }

    private static List<HealthCheck> checks(List<HealthCheck> checks, Optional<ServerTls> tls) {
        return Stream.concat(checks.stream(), tls.stream()).toList();
    }

    @Override
    public void close() {
        Drain own = drain;
        if (own != null) {
            own.begin();
        }
        services.close();
    }

    private void announceStop() {
        http.announceStop();
        grpc.announceStop();
        ports.announceStop();
        ingest.announceStop();
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
        boolean used = (http != null && http.hasServedWithin(IN_USE))
                || grpc.hasServedWithin(IN_USE)
                || ports.hasServedWithin(IN_USE);
        return config.mode() != DelayConfig.Mode.STANDALONE && used;
    }

    /** The lines about this server, for a person. Only after the start. */
    List<String> describe() {
        return Banner.lines(loaded, used, http.port(), grpc.address(), ports.addresses());
    }
}
