package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.controller.TestServer.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Faulty clients on sockets of their own. None of their faults may cause a line in the log, save that of an acting call. */
class SocketTest {
    private static final int LIMIT = TestConfig.open().maxBodySize();
    private static final String PUSH = "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\n";

    private static final String LARGE = "GET /job/large HTTP/1.1\r\nHost: localhost\r\n";
    /** The longest time of a test on a busy machine. */
    private static final Duration BUSY = Duration.ofSeconds(30);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private TestServer http;

    @BeforeEach
    void start() {
        log.start();
        root().addAppender(log);
        http = new TestServer(TestConfig.open(), TestServer.HASTY);
    }

    @AfterEach
    void close() {
        http.close();
        root().detachAppender(log);
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .filteredOn(event -> !event.getLoggerName().equals(AuditTrail.LOGGER))
                // Vert.x measures time: on a busy machine it takes a thread that got none of it for a blocked one.
                .filteredOn(event -> !event.getLoggerName().endsWith("BlockedThreadChecker"))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
    }

    @Test
    void theLimitItselfIsAllowed() {
        assertThat(push(BodyPublishers.ofString(message(LIMIT))).status()).isEqualTo(200);
        assertThat(push(chunked(message(LIMIT))).status()).isEqualTo(200);
    }

    @Test
    void oneByteMoreIsTooLargeAlsoWhenChunked() {
        for (BodyPublisherOf sent : List.<BodyPublisherOf>of(BodyPublishers::ofString, SocketTest::chunked)) {
            Answer answer = push(sent.of(message(LIMIT + 1)));
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.error()).isEqualTo("TOO_LARGE");
            assertThat(answer.message()).isEqualTo("the request's body is larger than 1000 bytes");
            assertThat(answer.header("connection")).isEqualTo("close");
        }
        assertThat(http.stub.pushed).isEmpty();
    }

    @Test
    void megabytesTooManyStillGetTheirAnswer() {
        assertThat(push(BodyPublishers.ofString(message(3 << 20))).status()).isEqualTo(413);
        assertThat(push(chunked(message(3 << 20))).status()).isEqualTo(413);
    }

    @Test
    void anEndlessBodyIsCutOff() throws IOException {
        try (Socket socket = http.socket()) {
            socket.getOutputStream().write((PUSH + "Transfer-Encoding: chunked\r\n\r\n").getBytes(US_ASCII));
            byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(US_ASCII);
            long sent = 0;
            try {
                while (sent < (64L << 20)) {
                    socket.getOutputStream().write(chunk);
                    sent += chunk.length;
                }
            } catch (IOException cutOff) {
                // As it should be.
            }
            assertThat(sent).isLessThan(32L << 20);
        }
    }

    @Test
    void expectIsAnsweredBeforeTheBody() throws IOException {
        String tooLarge = http.raw(PUSH + "Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n");
        assertThat(tooLarge).startsWith("HTTP/1.1 413").doesNotContain("100 Continue");
        String body = "{\"topic\":\"t\"}";
        String fine = http.raw(PUSH + "Content-Length: " + body.length()
                + "\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n" + body);
        assertThat(fine).startsWith("HTTP/1.1 100 Continue").contains("HTTP/1.1 200 OK");
    }

    @Test
    void aSlowBodyIsGivenUp() throws IOException {
        String answer = http.raw(PUSH + "Content-Length: 50\r\n\r\n{\"topic\":\"t\"");
        assertThat(answer).startsWith("HTTP/1.1 408").contains("\"code\":408").contains("\"success\":false");
        assertThat(http.stub.pushed).isEmpty();
    }

    @Test
    void everySlowBodyIsGivenUpAfterATimeOfItsOwn() throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Socket socket = http.socket();
            socket.getOutputStream().write((PUSH + "Content-Length: 50\r\n\r\n{").getBytes(US_ASCII));
            slow.add(socket);
            // A quick client is served between them.
            assertThat(http.post("/push", "{\"topic\":\"t\"}").status()).isEqualTo(200);
        }
        for (Socket socket : slow) {
            try (socket) {
                assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                        .startsWith("HTTP/1.1 408");
            }
        }
    }

    @Test
    void aTruncatedBodyIsNoPush() throws IOException {
        try (Socket socket = http.socket()) {
            socket.getOutputStream().write((PUSH + "Content-Length: 50\r\n\r\n{\"topic\":\"t\"}").getBytes(US_ASCII));
        }
        try (Socket socket = http.socket()) {
            socket.getOutputStream()
                    .write((PUSH + "Transfer-Encoding: chunked\r\n\r\nd\r\n{\"topic\":\"t\"}\r\n").getBytes(US_ASCII));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
        assertThat(http.post("/push", "{\"topic\":\"t\",\"id\":\"after\"}").status())
                .isEqualTo(200);
        assertThat(http.stub.pushed).containsOnlyKeys("after");
    }

    @Test
    void whatIsNotHttpGetsA400() throws IOException {
        assertThat(http.raw("nonsense\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 400")
                .contains("INVALID_REQUEST");
        assertThat(http.raw(PUSH + "Content-Length: x\r\n\r\n")).containsPattern("^HTTP/1.[01] 400");
        assertThat(http.raw(PUSH + "Content-Length: -5\r\n\r\n")).containsPattern("^HTTP/1.[01] 400");
        assertThat(http.raw(PUSH + "Content-Length: 99999999999999999999\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 400");
        assertThat(http.raw(PUSH + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")).doesNotContain("200 OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow",
                "Transfer-Encoding: cow\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding:",
                "Host: elsewhere"
            })
    void aHeadWithTwoReadingsIsRefusedAndNothingBehindItIsRead(String header) throws IOException {
        for (String chunks : List.of("", "0\r\n\r\n")) {
            String next = chunks + "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(http.raw(PUSH + header + "\r\n\r\n" + next))
                    .startsWith("HTTP/1.1 400")
                    .contains("connection: close", "INVALID_REQUEST")
                    .doesNotContain("200 OK");
        }
        assertThat(http.stub.pushed).isEmpty();
    }

    @Test
    void anAnswerToHeadHasNoBody() throws IOException {
        String host = " HTTP/1.1\r\nHost: x\r\n";
        for (int length : new int[] {5_000, 10_000}) {
            assertThat(http.raw("HEAD /job/" + "x".repeat(length) + host + "\r\n"))
                    .containsPattern("^HTTP/1.[01] 414")
                    .endsWith("\r\n\r\n");
        }
        assertThat(http.raw("HEAD /health" + host + "X: " + "x".repeat(20_000) + "\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 431")
                .endsWith("\r\n\r\n");
        assertThat(http.raw("HEAD /health" + host + "Host: y\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .endsWith("\r\n\r\n");
        assertThat(http.raw("HEAD /health" + host + "Content-Length: x\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 400")
                .endsWith("\r\n\r\n");
    }

    @Test
    void headsThatAreTooLong() throws IOException {
        assertThat(http.raw("GET /job/" + "x".repeat(5_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 414")
                .contains("TOO_LARGE");
        assertThat(http.raw("GET /health HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"))
                .containsPattern("^HTTP/1.[01] 431")
                .contains("TOO_LARGE");
    }

    @Test
    void aRefusedRequestKeepsItsConnection() throws IOException {
        String answers = http.raw("POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                + "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answers).startsWith("HTTP/1.1 404").contains("HTTP/1.1 200 OK");
    }

    @Test
    void anIdleConnectionIsClosedButNotOneThatWaits() throws IOException {
        http.stub.gate = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> waiting = http.sendLater(http.request("/reStore"));
        await().until(() -> http.stub.atGate.get() == 1);
        // Returns when the server has closed it, after its idle timeout; the waiting one is older.
        assertThat(http.raw("")).isEmpty();
        http.stub.gate.countDown();
        assertThat(waiting.join().statusCode()).isEqualTo(200);
    }

    @Test
    void aHeadThatNeverEndsIsIdle() throws IOException {
        try (Socket socket = http.socket()) {
            socket.getOutputStream().write("GET /health HTTP/1.1\r\n".getBytes(US_ASCII));
            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                try {
                    socket.getOutputStream().write("X: y\r\n".getBytes(US_ASCII));
                    return false;
                } catch (IOException closed) {
                    return true;
                }
            });
        }
    }

    @Test
    void allBodiesTogetherAreBounded() {
        patient();
        CompletableFuture<Void> commit = new CompletableFuture<>();
        http.stub.commit = commit;
        String small = "[{\"topic\":\"t\",\"id\":\"s\"}" + " ".repeat(90_000) + "]";
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(http.sendLater(http.request("/push/batch").POST(BodyPublishers.ofString(small))));
            await().until(() -> commit.getNumberOfDependents() == waiting.size());
        }
        assertThat(http.post("/push/batch", small).message()).isEqualTo("too many bytes at once; try again");
        commit.complete(null);
        assertThat(waiting)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
        assertThat(http.post("/push/batch", small).status()).isEqualTo(200);
        await().atMost(BUSY).until(() -> pendingBytes() == 0);
    }

    @Test
    void allAnswersThatAreNotReadAreBounded() throws IOException {
        patient();
        try (Socket first = ask(LARGE + "\r\n");
                Socket second = ask(LARGE + "\r\n")) {
            await().atMost(BUSY).until(() -> pendingBytes() > 2.0 * StubBackend.LARGE);
            Answer refused = http.get("/job/large");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.message()).isEqualTo("too many answers were not read yet; try again");
            assertThat(http.post("/push", "{\"topic\":\"t\"}").status()).isEqualTo(200);
            assertThat(first.isConnected() && second.isConnected()).isTrue();
        }
        await().atMost(BUSY).until(() -> pendingBytes() == 0);
        assertThat(http.get("/job/large").status()).isEqualTo(200);
    }

    @Test
    void requestsWaitUntilTheAnswersBeforeThemAreRead() throws IOException {
        patient();
        try (Socket slow = ask((LARGE + "\r\n").repeat(2) + LARGE + "Connection: close\r\n\r\n")) {
            await().atMost(BUSY).until(() -> pendingBytes() > 0);
            assertThat(pendingBytes()).isLessThan(2.0 * StubBackend.LARGE);
            String answers = new String(slow.getInputStream().readAllBytes(), US_ASCII);
            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(4);
        }
        await().atMost(BUSY).until(() -> pendingBytes() == 0);
    }

    @Test
    void aClientThatDoesNotReadIsGivenUp() throws IOException {
        try (Socket deaf = ask(LARGE + "\r\n")) {
            await().atMost(BUSY).pollInterval(Duration.ofMillis(100)).until(() -> {
                try {
                    deaf.getOutputStream().write("GET /health/live HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
                    return false;
                } catch (IOException cutOff) {
                    return true;
                }
            });
        }
        await().atMost(BUSY).until(() -> pendingBytes() == 0);
    }

    /** A server that gives up no client during a test. */
    private void patient() {
        http.close();
        http = new TestServer(TestConfig.open());
    }

    private Socket ask(String request) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 << 10);
        socket.setSoTimeout((int) BUSY.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.server.port()));
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }

    private double pendingBytes() {
        return http.get("/metrics")
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith("mykit_delay_http_pending_bytes "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void oddTargetsAreNothingSpecial() throws IOException {
        String rest = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        assertThat(http.raw("OPTIONS *" + rest)).startsWith("HTTP/1.1 404");
        assertThat(http.raw("GET http://elsewhere/health/live" + rest)).startsWith("HTTP/1.1 200");
        assertThat(http.raw("GET //health/live" + rest)).startsWith("HTTP/1.1 404");
        assertThat(http.raw("GET /health/live?%zz&=&&a" + rest)).startsWith("HTTP/1.1 200");
        assertThat(http.raw("GET /job/%zz" + rest)).startsWith("HTTP/1.1 400");
        assertThat(http.raw("GET /job/%" + rest)).startsWith("HTTP/1.1 400");
        assertThat(http.raw("CONNECT x:1" + rest)).startsWith("HTTP/1.1 4");
        assertThat(http.raw("GET /health/live HTTP/1.0\r\n\r\n")).contains(" 200 OK");
    }

    @Test
    void aNewConnectionTakesThePlaceOfTheOneThatIsIdleLongest() throws IOException {
        patient();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < TestServer.BOUNDS.connections(); i++) {
                sockets.add(http.socket());
                probe(sockets.get(i));
            }
            probe(sockets.get(0));
            try (Socket more = http.socket()) {
                probe(more);
                // The server may note the end of a request later than its client: any of the others may be idle
                // longest.
                assertThat(IntStream.range(0, sockets.size()).filter(i -> !answers(sockets.get(i))))
                        .hasSize(1)
                        .doesNotContain(0);
                probe(more);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aNewConnectionBesideBusyOnesIsTurnedAway() throws IOException {
        patient();
        CompletableFuture<Void> commit = new CompletableFuture<>();
        http.stub.commit = commit;
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < TestServer.BOUNDS.connections(); i++) {
                String body = "{\"topic\":\"t\",\"id\":\"" + i + "\"}";
                sockets.add(http.socket());
                sockets.get(i)
                        .getOutputStream()
                        .write((PUSH + "Content-Length: " + body.length() + "\r\n\r\n" + body).getBytes(US_ASCII));
            }
            await().until(() -> commit.getNumberOfDependents() == sockets.size());
            assertThat(refusesConnections()).isTrue();
            commit.complete(null);
            for (Socket socket : sockets) {
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Asks a question and reads the whole answer. */
    private static boolean answers(Socket socket) {
        try {
            probe(socket);
            return true;
        } catch (IOException | AssertionError closed) {
            return false;
        }
    }

    private static void probe(Socket socket) throws IOException {
        socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            length = line.startsWith("content-length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        assertThat(in.read(new char[length])).isEqualTo(length);
    }

    @Test
    void closeLetsFinishWhatIsInFlight() {
        CompletableFuture<Void> commit = new CompletableFuture<>();
        http.stub.commit = commit;
        CompletableFuture<HttpResponse<String>> inFlight = http.sendLater(
                http.request("/push").POST(BodyPublishers.ofString("{\"topic\":\"t\",\"id\":\"last\"}")));
        await().until(() -> commit.getNumberOfDependents() == 1);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(http.server::close);
        await().until(() -> refusesConnections());
        assertThat(closing).isNotDone();
        commit.complete(null);
        assertThat(inFlight.join().statusCode()).isEqualTo(200);
        assertThat(closing).succeedsWithin(Duration.ofSeconds(2));
        http.server.close();
    }

    @Test
    void closeDoesNotWaitForIdleConnections() throws IOException {
        patient();
        try (Socket idle = http.socket()) {
            idle.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            assertThat(idle.getInputStream().read()).isEqualTo('H');
            assertThat(CompletableFuture.runAsync(http.server::close)).succeedsWithin(Duration.ofMillis(2_500));
        }
    }

    private boolean refusesConnections() {
        try (Socket socket = http.socket()) {
            return socket.getInputStream().read() < 0;
        } catch (IOException refused) {
            return true;
        }
    }

    private Answer push(BodyPublisher body) {
        return http.send(http.request("/push").POST(body));
    }

    private static BodyPublisher chunked(String body) {
        return BodyPublishers.fromPublisher(BodyPublishers.ofString(body));
    }

    /** A push of exactly this many bytes. */
    private static String message(int bytes) {
        String frame = "{\"topic\":\"t\",\"body\":\"\"}";
        return frame.replace(":\"\"", ":\"" + "x".repeat(bytes - frame.length()) + "\"");
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private interface BodyPublisherOf {
        BodyPublisher of(String body);
    }
}
