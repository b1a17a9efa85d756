package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.Message;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The lines of calls in the log of requests, which is that of HTTP. */
class CallLogTest {
    private static final String PRODUCER = "s3cret-token-of-the-test";
    private static final Message MESSAGE =
            Message.newBuilder().setTopic("t").setText("s3cret-body").build();

    private final Logger logger = (Logger) LoggerFactory.getLogger(RequestLog.LOGGER);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private TestApi server;

    @BeforeEach
    void listen() {
        lines.setContext(logger.getLoggerContext());
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void close() {
        server.close();
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void aLineHasTheFactsOfTheCallAndNoSecret() {
        server = TestApi.start(
                "log.requests=all", "http.producer-token=" + PRODUCER, "http.admin-token=other-" + PRODUCER);
        Metadata sent = new Metadata();
        put(sent, "authorization", "Bearer " + PRODUCER);
        put(sent, "x-request-id", "r-1");
        put(sent, "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        AtomicReference<Metadata> answered = new AtomicReference<>();
        DelayServiceGrpc.newBlockingStub(ClientInterceptors.intercept(
                        server.channel,
                        MetadataUtils.newAttachHeadersInterceptor(sent),
                        MetadataUtils.newCaptureMetadataInterceptor(answered, new AtomicReference<>())))
                .push(MESSAGE);
        assertThat(answered.get().get(key("x-request-id"))).isEqualTo("r-1");
        ILoggingEvent line = line(1);
        assertThat(facts(line))
                .containsEntry("method", "gRPC")
                .containsEntry("route", "Push")
                .containsEntry("grpcStatus", "OK")
                .containsEntry("bytesIn", (long) MESSAGE.getSerializedSize())
                .containsEntry("address", "127.0.0.1")
                .containsEntry("caller", "producer")
                .containsEntry("request_id", "r-1")
                .containsEntry("trace_id", "0af7651916cd43dd8448eb211c80319c")
                .doesNotContainKeys("status", "messageId", "span_id");
        assertThat(facts(line).get("userAgent").toString()).startsWith("grpc-java-netty/");
        assertThat(line.getFormattedMessage()).startsWith("gRPC Push OK ");
        assertThat(line.getFormattedMessage() + facts(line)).doesNotContain("s3cret");
    }

    @Test
    void aCallWithoutAnIdGetsOneAndAnErrorHasItToo() {
        server = TestApi.start("log.requests=errors");
        server.client().push(MESSAGE);
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        assertThat(failure(() -> DelayServiceGrpc.newBlockingStub(ClientInterceptors.intercept(
                                server.channel,
                                MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers)))
                        .push(Message.getDefaultInstance())))
                .startsWith("INVALID_ARGUMENT");
        ILoggingEvent line = line(1);
        assertThat(facts(line)).containsEntry("grpcStatus", "INVALID_ARGUMENT").containsEntry("caller", "anonymous");
        assertThat(trailers.get().get(key("x-request-id")))
                .matches("[0-9a-f]{16}")
                .isEqualTo(facts(line).get("request_id"));
    }

    @Test
    void probesAndUnknownMethodsHaveLinesToo() {
        server = TestApi.start("log.requests=all");
        HealthGrpc.newBlockingStub(server.channel).check(HealthCheckRequest.getDefaultInstance());
        assertThat(facts(line(1))).containsEntry("route", "grpc.health.v1.Health/Check");
        MethodDescriptor<byte[], byte[]> unknown = MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("s3cret.Service/Nothing")
                .build();
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> ClientCalls.blockingUnaryCall(server.channel, unknown, CallOptions.DEFAULT, new byte[0])))
                .isNotNull();
        assertThat(facts(line(2))).containsEntry("route", "none").containsEntry("grpcStatus", "UNIMPLEMENTED");
        assertThat(line(2).getFormattedMessage()).doesNotContain("s3cret");
    }

    @Test
    void withoutTheLogThereIsNoLine() {
        server = TestApi.start("log.requests=off");
        server.client().push(MESSAGE);
        server.close();
        assertThat(lines.list).isEmpty();
    }

    /** Once there are so many, the last one. */
    private ILoggingEvent line(int count) {
        await().until(() -> lines.list.size() >= count);
        assertThat(lines.list).hasSize(count);
        return lines.list.get(count - 1);
    }

    private static Map<String, Object> facts(ILoggingEvent line) {
        Map<String, Object> facts = new TreeMap<>();
        line.getKeyValuePairs().forEach(pair -> facts.put(pair.key, pair.value));
        return facts;
    }

    private static void put(Metadata metadata, String name, String value) {
        metadata.put(key(name), value);
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
