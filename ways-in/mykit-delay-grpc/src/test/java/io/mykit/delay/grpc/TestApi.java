package io.mykit.delay.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.limit.NodeLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.grpc.reply.Failures;
import io.mykit.delay.queue.memory.MemoryLimits;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.trace.Tracing;
import io.mykit.delay.v1.DelayServiceGrpc;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A server on a free port over a stub of the engine, and a client. */
final class TestApi implements AutoCloseable {
    final StubEngine engine = new StubEngine();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final GrpcApi api;
    final ManagedChannel channel;
    final MemoryMessageStore database = new MemoryMessageStore(InstantSource.system());
    final TokenTable tokens = new TokenTable(database.tokens(), () -> {}, InstantSource.system());
    final NodeLimits limits = new NodeLimits(
            new MemoryLimits(InstantSource.system()), tokens::limits, () -> 1, InstantSource.system(), meters);
    private final RequestLog requests;
    volatile boolean storeUp = true;

    private TestApi(DelayConfig config, GrpcBounds bounds) {
        this(config, bounds, Tracing.OFF);
    }

    private TestApi(DelayConfig config, GrpcBounds bounds, Tracing tracing) {
        requests = new RequestLog(config.log().requests(), meters);
        requests.start();
        api = new GrpcApi(
                config,
                bounds,
                new GrpcBackend(
                        engine,
                        engine,
                        requests,
                        new RequestTraces(tracing, config.tracing().propagate(), 0),
                        List.of(store()),
                        Optional.empty(),
                        tokens,
                        limits),
                meters);
        limits.start();
        try {
            api.start();
        } catch (RuntimeException e) {
            api.close();
            throw e;
        }
        channel = NettyChannelBuilder.forAddress("127.0.0.1", api.port())
                .usePlaintext()
                .build();
    }

    static DelayConfig config(String... settings) {
        String[] all = Stream.concat(
                        Stream.of("grpc-api.port=0", "http.max-body-size=2048", "http.max-batch-size=100000"),
                        Stream.of(settings))
                .map(setting -> "--mykit.delay." + setting)
                .toArray(String[]::new);
        return ConfigLoader.load(CommandLine.parse(all)).config();
    }

    static TestApi start(String... settings) {
        DelayConfig config = config(settings);
        return new TestApi(config, GrpcBounds.of(config.http()));
    }

    static TestApi traced(Tracing tracing) {
        DelayConfig config = config();
        return new TestApi(config, GrpcBounds.of(config.http()), tracing);
    }

    /** With this bound for the bytes of all calls. */
    static TestApi start(long callBytes) {
        return start(callBytes, 10);
    }

    static TestApi start(long callBytes, int connections) {
        return start(callBytes, connections, 8192);
    }

    static TestApi start(long callBytes, int connections, int calls) {
        DelayConfig config = config();
        GrpcBounds usual = GrpcBounds.of(config.http());
        return new TestApi(
                config,
                new GrpcBounds(
                        usual.grace(),
                        usual.maxBody(),
                        usual.maxMessage(),
                        usual.maxBatch(),
                        callBytes,
                        connections,
                        calls,
                        usual.callsPerConnection(),
                        usual.workers(),
                        usual.workerQueue(),
                        usual.eventLoops()));
    }

    private HealthCheck store() {
        return new HealthCheck() {
            @Override
            public String name() {
                return "store";
            }

            @Override
            public Health check() {
                return storeUp ? Health.up(Map.of()) : Health.down("away");
            }
        };
    }

    DelayServiceGrpc.DelayServiceBlockingStub client() {
        return DelayServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    DelayServiceGrpc.DelayServiceBlockingStub client(String key, String value) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
        return DelayServiceGrpc.newBlockingStub(
                        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)))
                .withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    /** The failure of a call as its client sees it: status, word, seconds until a retry, text. */
    static String failure(ThrowingCallable call) {
        StatusRuntimeException failure = Assertions.catchThrowableOfType(StatusRuntimeException.class, call);
        Assertions.assertThat(failure).as("a status").isNotNull();
        com.google.rpc.Status details = StatusProto.fromThrowable(failure);
        String word = failure.getTrailers().get(Failures.WORD);
        try {
            long retry = 0;
            String reason = "";
            for (var detail : details.getDetailsList()) {
                if (detail.is(RetryInfo.class)) {
                    retry = detail.unpack(RetryInfo.class).getRetryDelay().getSeconds();
                } else {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    reason = info.getReason();
                    Assertions.assertThat(info.getDomain()).isEqualTo("mykit-delay");
                }
            }
            Assertions.assertThat(reason).isEqualTo(word);
            return failure.getStatus().getCode() + " " + word + " " + retry + " "
                    + failure.getStatus().getDescription();
        } catch (InvalidProtocolBufferException broken) {
            throw new AssertionError(broken);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        api.close();
        requests.close();
        limits.close();
    }
}
