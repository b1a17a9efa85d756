package io.mykit.delay.controller.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.Access;
import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.controller.StubAudit;
import io.mykit.delay.controller.TestConfig;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import io.mykit.delay.controller.scope.ScopedRoutes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that wait, as long polls do, on real sockets. */
class HangUpTest {
    private final Map<String, CompletableFuture<Reply>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Thread> loops = new ConcurrentHashMap<>();
    private final List<String> hungUp = new CopyOnWriteArrayList<>();
    private final List<String> takenBack = new CopyOnWriteArrayList<>();
    private final List<Thread> toldOn = new CopyOnWriteArrayList<>();
    private Listener listener;

    @BeforeEach
    void start() {
        Route poll = new Route(
                "poll", Access.PRODUCERS, Route.POST, "/get/{topic}/wait", ParameterNames.NONE, 1000, this::poll);
        listener = new Listener(
                TestConfig.open(),
                HttpBounds.of(TestConfig.open()),
                Optional.empty(),
                new Tokens(TestConfig.open(), KnownTokens.NONE),
                new Audit(InstantSource.system(), StubAudit.trail(), call -> {}),
                new Routes(List.of(poll)),
                new ScopedRoutes(names -> List.of()),
                new RequestLog("off", new SimpleMeterRegistry()),
                RequestTraces.NONE,
                new SimpleMeterRegistry(),
                why -> {},
                () -> false);
        listener.start();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @Test
    void aCallIsToldThatItsClientClosed() throws IOException {
        Socket client = ask("a");
        try (Socket other = ask("b")) {
            client.close();

            await().untilAsserted(() -> assertThat(hungUp).containsExactly("a"));
            assertThat(toldOn).containsExactly(loops.get("a"));
            waiting.get("b").complete(Envelope.success("b"));
            assertThat(line(other)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void aCallIsToldThatItsClientReset() throws IOException {
        Socket client = ask("a");
        client.setSoLinger(true, 0);
        client.close();

        await().untilAsserted(() -> assertThat(hungUp).containsExactly("a"));
    }

    @Test
    void anAnswerThatComesAfterItIsDropped() throws IOException {
        ask("a").close();
        await().untilAsserted(() -> assertThat(hungUp).containsExactly("a"));

        waiting.get("a").complete(Envelope.success("a").ifUnsent(() -> takenBack.add("a")));

        await().untilAsserted(() -> assertThat(takenBack).containsExactly("a"));
        await().untilAsserted(() -> assertThat(listener.pendingBytes()).isZero());
    }

    @Test
    void aCallThatWasAnsweredIsNotTold() throws IOException {
        try (Socket client = ask("first")) {
            waiting.get("first").complete(Envelope.success("first").ifUnsent(() -> takenBack.add("first")));
            assertThat(line(client)).isEqualTo("HTTP/1.1 200 OK");
            send(client, "second");
            await().until(() -> waiting.containsKey("second"));
        }

        await().untilAsserted(() -> assertThat(hungUp).containsExactly("second"));
        assertThat(takenBack).isEmpty();
    }

    @Test
    void theEndIsSeenBehindOneMoreRequest() throws IOException {
        Socket client = ask("a");
        send(client, "b");
        client.close();
        await().untilAsserted(() -> assertThat(hungUp).containsExactly("a"));
    }

    @Test
    void aClosedListenerTellsTheCallsThatWait() throws IOException {
        try (Socket client = ask("a")) {
            listener.close();
            assertThat(hungUp).containsExactly("a");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private CompletableFuture<Reply> poll(Call call) {
        String topic = call.path().get("topic");
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        loops.put(topic, Thread.currentThread());
        call.client().whenHungUp(() -> {
            toldOn.add(Thread.currentThread());
            hungUp.add(topic);
        });
        waiting.put(topic, answer);
        return answer;
    }

    private Socket ask(String topic) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        client.setSoTimeout(10_000);
        send(client, topic);
        await().until(() -> waiting.containsKey(topic));
        return client;
    }

    private static void send(Socket client, String topic) throws IOException {
        client.getOutputStream()
                .write(("POST /get/" + topic + "/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(US_ASCII));
    }

    private static String line(Socket client) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = client.getInputStream().read();
                c != '\r';
                c = client.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
