package io.mykit.delay.grpc;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.Access;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.GrpcApiConfig;
import io.mykit.delay.grpc.call.Admission;
import io.mykit.delay.grpc.call.ByteBudget;
import io.mykit.delay.grpc.call.Call;
import io.mykit.delay.grpc.call.CallMeters;
import io.mykit.delay.grpc.call.CallParts;
import io.mykit.delay.grpc.call.CallRules;
import io.mykit.delay.grpc.call.Calls;
import io.mykit.delay.grpc.call.RequestDeadlines;
import io.mykit.delay.grpc.call.SmallCalls;
import io.mykit.delay.grpc.push.PushFields;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.PushBatchRequest;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.TaskId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The gRPC interface as a service. {@code close()} gives calls under way some seconds, and releases all threads and sockets. It is a part of
 * {@code /health} too, where it tells its port.
 */
public final class GrpcApi implements Service, HealthCheck {
    private static final String BODY_KEY = "mykit.delay.http.max-body-size";
    private static final String BATCH_KEY = "mykit.delay.http.max-batch-size";

    private static final Backoff FAILED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final GrpcBounds bounds;
    private final GrpcApiConfig config;
    private final ByteBudget bytes;
    private final Workers workers;
    private final ScopedCalls scoped;
    private final CallParts parts;
    private final ServiceHealth health;
    private final RequestDeadlines deadlines = new RequestDeadlines(System::nanoTime);
    private final SmallCalls small;
    private final LoopRunner late = new LoopRunner("grpc-deadlines", deadlines::look, FAILED);
    private final Traffic traffic = new Traffic(System::nanoTime);
    private final Listener listener;
    private volatile boolean stopping;

    public GrpcApi(DelayConfig config, GrpcBackend backend, MeterRegistry registry) {
        this(config, GrpcBounds.of(config.http()), backend, registry);
    }

    GrpcApi(DelayConfig config, GrpcBounds bounds, GrpcBackend backend, MeterRegistry registry) {
        this.bounds = bounds;
        this.small = new SmallCalls(deadlines, bounds.calls());
        this.config = config.grpcApi();
        this.bytes = new ByteBudget(bounds.callBytes());
        Family.GRPC_PENDING.gauge(registry, bytes, ByteBudget::taken);
        this.workers = new Workers("grpc-worker", bounds.workers(), bounds.workerQueue());
        PushFields fields = new PushFields(bounds.maxBody());
        this.scoped = new ScopedCalls(backend.producers(), backend.consumers(), fields, backend.limits());
        Admission admission = new Admission(
                new Tokens(config.http(), backend.tokens()), new TokenMeters(registry), () -> stopping, bounds.calls());
        this.listener = new Listener(config.grpcApi(), bounds, backend.requests(), backend.tls(), registry);
        this.parts = new CallParts(
                admission,
                new CallMeters(registry),
                workers,
                listener::loop,
                deadlines,
                backend.producers()::refused,
                backend.traces(),
                traffic,
                backend.limits());
        this.health = new ServiceHealth(backend.checks());
    }

    /**
     * Requires that the port can be bound, before a server starts its other parts. Another process may still take it until {@link #start}.
     *
     * @throws IllegalStateException as {@link #start}
     */
    public static void requireFree(GrpcApiConfig config) {
        Listener.requireFree(config);
    }

    /**
     * Binds the port.
     *
     * @throws IllegalStateException if the port cannot be bound; the message names the keys to change
     */
    @Override
    public void start() {
        List<ServerServiceDefinition> standard = Stream.of(
                        health.service(), ProtoReflectionServiceV1.newInstance(), alphaReflection())
                .map(service -> ServerInterceptors.intercept(service, small))
                .toList();
        listener.start(
                Calls.service(DelayServiceGrpc.getServiceDescriptor(), calls(), parts),
                standard,
                Calls.counting(bytes));
        health.start();
        late.start();
    }

    /** Clients that are a few years old know this version alone. */
    @SuppressWarnings("deprecation")
    private static BindableService alphaReflection() {
        return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
    }

    private List<Call<?, ?>> calls() {
        CallRules push = new CallRules(Access.PRODUCERS, bounds.maxMessage(), BODY_KEY, false, Kind.PUSH, true);
        CallRules batch = new CallRules(Access.PRODUCERS, bounds.maxBatch(), BATCH_KEY, true, Kind.PUSH, true);
        CallRules pull = new CallRules(Access.CONSUMERS, bounds.maxMessage(), BODY_KEY, false, Kind.PULL, false);
        CallRules settle = new CallRules(Access.CONSUMERS, bounds.maxBatch(), BATCH_KEY, true, null, false);
        CallRules cancel = new CallRules(Access.PRODUCERS, bounds.maxMessage(), BODY_KEY, true, null, false);
        CallRules get = new CallRules(Access.PRODUCERS_AND_VIEWERS, bounds.maxMessage(), BODY_KEY, true, null, false);
        return List.of(
                new Call<>(
                        DelayServiceGrpc.getPushMethod(), Message.parser(), push, (request, caller) -> scoped.of(caller)
                                .pushes()
                                .push(request, caller)),
                new Call<>(
                        DelayServiceGrpc.getPushBatchMethod(),
                        PushBatchRequest.parser(),
                        batch,
                        (request, caller) -> scoped.of(caller).pushes().pushBatch(request, caller)),
                new Call<>(
                        DelayServiceGrpc.getCreateGrpcTaskMethod(),
                        GrpcTask.parser(),
                        push,
                        (request, caller) -> scoped.of(caller).tasks().create(request, caller)),
                new Call<>(
                        DelayServiceGrpc.getCreateHttpTaskMethod(),
                        HttpTask.parser(),
                        push,
                        (request, caller) -> scoped.of(caller).tasks().create(request, caller)),
                new Call<>(
                        DelayServiceGrpc.getCreateKafkaTaskMethod(),
                        KafkaTask.parser(),
                        push,
                        (request, caller) -> scoped.of(caller).tasks().create(request, caller)),
                new Call<>(DelayServiceGrpc.getCancelMethod(), TaskId.parser(), cancel, (request, caller) -> scoped.of(
                                caller)
                        .tasks()
                        .cancel(request, caller)),
                new Call<>(DelayServiceGrpc.getGetTaskMethod(), TaskId.parser(), get, (request, caller) -> scoped.of(
                                caller)
                        .tasks()
                        .get(request, caller)),
                new Call<>(DelayServiceGrpc.getPullMethod(), PullRequest.parser(), pull, (request, caller) -> scoped.of(
                                caller)
                        .pulls()
                        .pull(request, caller)),
                new Call<>(
                        DelayServiceGrpc.getSettleMethod(),
                        SettleRequest.parser(),
                        settle,
                        (request, caller) -> scoped.of(caller).pulls().settle(request, caller)));
    }

    /** The port on which the server listens, also if the configuration asks for any free port. */
    public int port() {
        return listener.port();
    }

    /** The address to connect to: host and port. */
    public String address() {
        return config.host() + ":" + port();
    }

    /** Whether a client has made a call within this time; calls of the health service are none. */
    public boolean hasServedWithin(Duration time) {
        return traffic.isWithin(time);
    }

    /**
     * Announces the close of this node. From now on a new call gets UNAVAILABLE, no call waits for messages, and the health service says
     * NOT_SERVING. All other calls under way go on.
     */
    public void announceStop() {
        if (stopping) {
            return;
        }
        stopping = true;
        health.stop();
        small.stop();
        scoped.stop();
        listener.shutdown();
    }

    @Override
    public void close() {
        announceStop();
        health.close();
        late.close();
        listener.close();
        // A call that still runs gets no answer any more.
        workers.close(Duration.ZERO);
    }

    @Override
    public String name() {
        return "grpc-api";
    }

    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("host", config.host());
        details.put("port", port());
        return Health.up(details);
    }

    @Override
    public boolean isImmediate() {
        return true;
    }
}
