package io.mykit.delay.channel.grpc;

import static io.mykit.delay.channel.grpc.TestChannels.message;
import static io.mykit.delay.channel.grpc.TestChannels.open;
import static io.mykit.delay.channel.grpc.TestChannels.openFor;
import static io.mykit.delay.channel.grpc.TestChannels.send;
import static io.mykit.delay.channel.grpc.TestChannels.toMethod;
import static io.mykit.delay.channel.grpc.TestChannels.toTarget;
import static io.mykit.delay.channel.grpc.TestChannels.withHeaders;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.grpc.Metadata;
import io.grpc.Status;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Delivery.Kind;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls to a server of grpc-netty. */
class GrpcCallTest {
    private static final String LOCAL = "grpc://127.0.0.0/8";
    /** The first frame of a server. */
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    @Test
    void theBodyIsTheRequestAndTheMessageIsInTheMetadata() throws Exception {
        byte[] body = {8, 7, 0, -1};
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = openFor(server.host())) {
            MessageExtras binary = new MessageExtras(
                    true, Map.of("x-shop", "nörd", "trace-bin", "AAEC"), RetryOptions.NONE, 0, Map.of(), 0);
            assertThat(send(channel, message("order 7/é").withBody("CAcA/w==").withExtras(binary)))
                    .isEqualTo(Delivery.DELIVERED);
            CallServer.Got got = server.calls().get(0);
            assertThat(got.method()).isEqualTo("shop.Orders/Cancel");
            assertThat(got.authority()).isEqualTo(server.host());
            assertThat(got.body().getBytes()).isEqualTo(body);
            assertThat(got.header("mykit-delay-id")).isEqualTo("order%207/%C3%A9");
            assertThat(got.header("mykit-delay-topic")).isEqualTo("calls");
            assertThat(got.header("mykit-delay-subtopic")).isEqualTo("sub");
            assertThat(got.header("mykit-delay-biz-key")).isEqualTo("biz%207");
            assertThat(got.header("mykit-delay-due-time")).isEqualTo("1799999940000");
            assertThat(got.header("mykit-delay-attempt")).isEqualTo("2");
            assertThat(got.header("mykit-delay-max-attempts")).isEqualTo("8");
            assertThat(got.header("x-shop")).isEqualTo("n%C3%B6rd");
            assertThat(got.headers().get(Metadata.Key.of("trace-bin", Metadata.BINARY_BYTE_MARSHALLER)))
                    .isEqualTo(new byte[] {0, 1, 2});
            assertThat(got.header("user-agent")).startsWith("mykit-delay");
            assertThat(got.header("content-type")).isEqualTo("application/grpc");
        }
    }

    @Test
    void theTargetOfAMessageGoesBeforeThatOfItsTopic() throws Exception {
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = openFor("gone.example:1", "targets", LOCAL)) {
            String[] target = {
                "host", "grpc://" + server.host(), "service", "Stock", "method", "Release", "format", "JSON"
            };
            assertThat(send(channel, toTarget("1", target))).isEqualTo(Delivery.DELIVERED);
            CallServer.Got got = server.calls().get(0);
            assertThat(got.method()).isEqualTo("Stock/Release");
            assertThat(got.header("content-type")).isEqualTo("application/grpc+json");
            assertThat(got.body().toString()).isEqualTo("{\"order\":7}");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void theStatusDecidesTheFate(Status.Code code) throws Exception {
        Kind kind =
                switch (code) {
                    case INVALID_ARGUMENT, OUT_OF_RANGE -> Kind.REFUSED;
                    default -> Kind.FAILED;
                };
        try (CallServer server = CallServer.answering(code.toStatus().withDescription("no: 50 %\nand é"));
                AsyncDeliveryChannel channel = openFor(server.host(), "targets", LOCAL)) {
            String detail = code + ": no: 50 %\\nand é";
            assertThat(send(channel, toMethod("1", server.host(), "Cancel"))).isEqualTo(new Delivery(kind, detail));
            assertThat(send(channel, message("2")))
                    .isEqualTo(new Delivery(code == Status.Code.UNAVAILABLE ? Kind.UNAVAILABLE : kind, detail));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1500,      1500,     RESOURCE_EXHAUSTED, UNAVAILABLE",
        "0,         0,        UNAVAILABLE,        UNAVAILABLE",
        "999999999, 86400000, ABORTED,            FAILED",
        "-1,        0,        INTERNAL,           FAILED",
        "soon,      0,        UNAVAILABLE,        UNAVAILABLE"
    })
    void theReceiverMayAskToWait(String pushback, long waitMs, Status.Code code, Kind shared) throws Exception {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER), pushback);
        try (CallServer server = new CallServer((got, call) -> CallServer.end(call, code.toStatus(), trailers));
                AsyncDeliveryChannel channel = openFor(server.host(), "targets", LOCAL)) {
            Delivery own = send(channel, toMethod("1", server.host(), "Cancel"));
            assertThat(own.kind()).isEqualTo(Kind.FAILED);
            assertThat(own.retryAfter()).isEqualTo(Duration.ofMillis(waitMs));
            Delivery ofTopic = send(channel, message("2"));
            assertThat(ofTopic.kind()).isEqualTo(shared);
            assertThat(ofTopic.retryAfter()).isEqualTo(Duration.ofMillis(waitMs));
        }
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsDeadline() throws Exception {
        try (CallServer server = new CallServer((got, call) -> {
                    if (got.header("mykit-delay-id").equals("quick")) {
                        CallServer.end(call, Status.OK);
                    }
                });
                AsyncDeliveryChannel channel = openFor(server.host(), "timeout", "1s")) {
            long before = System.nanoTime();
            assertThat(send(channel, message("slow"))).isEqualTo(Delivery.failed("no answer within 1000 ms"));
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(9));
            Awaitility.await().until(() -> server.cancelled().size() == 1);
            assertThat(server.cancelled().get(0).deadline().isExpired()).isTrue();
            Awaitility.await().untilAsserted(() -> assertThat(send(channel, message("quick")))
                    .isEqualTo(Delivery.DELIVERED));
        }
    }

    @Test
    void aReceiverThatIsAwayOrNotOneOfGrpcIsNotReached() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (AsyncDeliveryChannel channel = openFor("127.0.0.1:" + free, "targets", LOCAL)) {
            Delivery shared = send(channel, message("1"));
            assertThat(shared.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(shared.unsent()).isTrue();
            assertThat(shared.detail()).startsWith("no connection: ");
            assertThat(send(channel, toMethod("2", "127.0.0.1:" + free, "Cancel"))
                            .kind())
                    .isEqualTo(Kind.FAILED);
            assertThat(channel.health().details().get("lastFailure").toString())
                    .startsWith("grpc://127.0.0.1:" + free + ": no connection: ");
        }
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        http.start();
        try (AsyncDeliveryChannel channel =
                openFor("127.0.0.1:" + http.getAddress().getPort(), "timeout", "3s")) {
            assertThat(send(channel, message("1")).kind()).isIn(Kind.UNAVAILABLE, Kind.UNCLEAR);
        } finally {
            http.stop(0);
        }
    }

    @Test
    void aReceiverThatTakesConnectionsAndSaysNothingIsNotReached() throws Exception {
        List<Socket> taken = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                AsyncDeliveryChannel channel = openFor("127.0.0.1:" + silent.getLocalPort(), "timeout", "1s")) {
            CompletableFuture<Delivery> fate = channel.send("calls", List.of(new Outgoing(message("1"), 1, 8)))
                    .get(0);
            taken.add(silent.accept());
            Delivery decided = fate.get(20, TimeUnit.SECONDS);
            assertThat(decided.kind()).isIn(Kind.UNAVAILABLE, Kind.FAILED);
        } finally {
            for (Socket socket : taken) {
                socket.close();
            }
        }
    }

    /** A host that is gone without a word: its connection stays open until TCP finds out. */
    @Test
    void aConnectionThatAnswersNoPingIsClosed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                AsyncDeliveryChannel channel =
                        openFor("127.0.0.1:" + silent.getLocalPort(), "timeout", "1s", "connect-timeout", "500ms")) {
            CompletableFuture<Delivery> fate = channel.send("calls", List.of(new Outgoing(message("1"), 1, 8)))
                    .get(0);
            try (Socket taken = silent.accept()) {
                taken.setSoTimeout(20_000);
                taken.getOutputStream().write(EMPTY_SETTINGS);
                assertThat(fate.get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.failed("no answer within 1000 ms"));
                assertThat(taken.getInputStream().readAllBytes())
                        .as("until its end")
                        .isNotEmpty();
            }
        }
    }

    @Test
    void aConnectionThatEndsInTheMiddleIsUnclear() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                AsyncDeliveryChannel channel = openFor("127.0.0.1:" + server.getLocalPort(), "targets", LOCAL)) {
            assertThat(endInTheMiddle(server, channel, message("1"))).isEqualTo(Kind.UNCLEAR);
            String host = "127.0.0.1:" + server.getLocalPort();
            assertThat(endInTheMiddle(server, channel, toMethod("2", host, "Cancel")))
                    .isEqualTo(Kind.FAILED);
        }
    }

    /** The fate of a message whose receiver closes the connection as soon as it has the body. */
    private static Kind endInTheMiddle(ServerSocket server, AsyncDeliveryChannel channel, DelayMessage message)
            throws Exception {
        CompletableFuture<Delivery> fate =
                channel.send("calls", List.of(new Outgoing(message, 1, 8))).get(0);
        try (Socket taken = server.accept()) {
            taken.setSoTimeout(20_000);
            taken.getOutputStream().write(EMPTY_SETTINGS);
            StringBuilder got = new StringBuilder();
            while (got.indexOf(message.body()) < 0) {
                got.append((char) taken.getInputStream().read());
            }
        }
        return fate.get(20, TimeUnit.SECONDS).kind();
    }

    @Test
    void anAnswerThatIsTooLongIsCut() throws Exception {
        try (CallServer server = new CallServer((got, call) -> {
                    call.sendHeaders(new Metadata());
                    call.sendMessage(new byte[GrpcExchange.MAX_ANSWER_BYTES + 1]);
                    call.close(Status.OK, new Metadata());
                });
                AsyncDeliveryChannel channel = openFor(server.host())) {
            assertThat(send(channel, message("1")))
                    .isEqualTo(Delivery.failed("the answer is larger than 4194304 bytes"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    @Test
    void aNodeThatMayNotSendAnyMoreDoesNot() throws Exception {
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = openFor(server.host())) {
            Delivery fate = channel.send("calls", List.of(new Outgoing(message("1"), 1, 8, () -> false)))
                    .get(0)
                    .get(20, TimeUnit.SECONDS);
            assertThat(fate).isEqualTo(Delivery.notSent("not sent: this node may not send it any more"));
            assertThat(send(channel, message("2"))).isEqualTo(Delivery.DELIVERED);
            assertThat(server.calls()).hasSize(1);
        }
    }

    @Test
    void aHostThatFailsAllTheTimeHasAnOpenCircuitAndCostsOthersNothing() throws Exception {
        try (CallServer ill = CallServer.answering(Status.UNAVAILABLE);
                CallServer well = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel =
                        open("targets", LOCAL, "circuit-failures", "3", "circuit-pause", "10m")) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(channel, toMethod("ill" + i, ill.host(), "Cancel"))
                                .kind())
                        .isEqualTo(Kind.FAILED);
            }
            assertThat(send(channel, toMethod("late", ill.host(), "Cancel")).kind())
                    .isEqualTo(Kind.DEFERRED);
            assertThat(send(channel, toMethod("well", well.host(), "Cancel"))).isEqualTo(Delivery.DELIVERED);
            assertThat(channel.health().details()).containsEntry("openCircuits", 1L);
            assertThat(ill.calls()).hasSize(3);
        }
    }

    @Test
    void aHostHasItsPlacesAndTheRestWaitsOrIsFull() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (CallServer slow = new CallServer((got, call) -> {
                    try {
                        answer.await();
                        CallServer.end(call, Status.OK);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                AsyncDeliveryChannel channel = open("targets", LOCAL, "per-host", "4", "timeout", "1m")) {
            List<Outgoing> batch = IntStream.range(0, 1005)
                    .mapToObj(i -> new Outgoing(toMethod("m" + i, slow.host(), "Cancel"), 1, 8))
                    .toList();
            List<CompletableFuture<Delivery>> fates = channel.send("calls", batch);
            assertThat(fates.get(1004).get(20, TimeUnit.SECONDS).kind()).isEqualTo(Kind.FULL);
            Awaitility.await().until(() -> slow.calls().size() == 4);
            assertThat(channel.health().details()).containsEntry("inFlight", 4).containsEntry("waiting", 1000);
            answer.countDown();
            for (CompletableFuture<Delivery> fate : fates.subList(0, 1004)) {
                assertThat(fate.get(60, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
            }
        }
    }

    /** A server of grpc-netty takes 8 KiB. */
    @Test
    void metadataThatTheServerDoesNotTakeFailsAtOnceAndEndsNoOtherCall() throws Exception {
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = openFor(server.host(), "targets", LOCAL)) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            DelayMessage big = toMethod("2", server.host(), "Cancel");
            // With 32 bytes for each header, as HTTP/2 counts, and those of the channel.
            String[] headers = new String[16];
            for (int i = 0; i < headers.length; i += 2) {
                headers[i] = "x-" + i;
                headers[i + 1] = "v".repeat(1000);
            }
            long before = System.nanoTime();
            Delivery fate = send(channel, withHeaders(big, headers));
            assertThat(fate.kind()).as(fate.detail()).isEqualTo(Kind.FAILED);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(send(channel, message("3"))).isEqualTo(Delivery.DELIVERED);
        }
    }

    @Test
    void headersThatCannotBeMetadataAreRefusedAtThePush() {
        try (AsyncDeliveryChannel channel = openFor("127.0.0.1:1")) {
            assertThat(channel.objection(withHeaders(message("1"), "content-type", "text/plain")))
                    .contains("headers.content-type is reserved on gRPC");
            assertThat(channel.objection(withHeaders(message("1"), "x-bin", "no base64!")))
                    .contains("headers.x-bin must be Base64, because its name ends with -bin");
            assertThat(channel.objection(withHeaders(message("1"), "x-bin", "AAE")))
                    .isEmpty();
        }
    }
}
