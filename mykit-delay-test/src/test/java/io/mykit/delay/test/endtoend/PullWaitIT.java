package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.server.DelayServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that wait for messages, on the packaged server: many at once, those that hang up, and the stop of the node. */
@Tag("long")
class PullWaitIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONSUMERS = 500;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static DelayServer server;
    private static DelayClient client;

    @BeforeAll
    static void start() {
        server = DelayServer.start("pull-wait", dir, Map.of("delivery.default-channel", "pull", "http.drain", "3s"));
        client = server.client();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void manyConsumersWaitBesidePushes() throws IOException {
        List<Consumer> consumers = new ArrayList<>();
        try {
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(Consumer.ask("crowd", "50s"));
            }
            awaitWaiting(CONSUMERS);
            assertThat(client.push(Map.of("topic", "other", "id", "beside", "body", "b"))
                            .status())
                    .isEqualTo(200);
            assertThat(client.job("beside").status()).isEqualTo(200);

            client.pushBatch(IntStream.range(0, CONSUMERS)
                    .mapToObj(i -> Map.of("topic", "crowd", "id", "c" + i, "body", "b"))
                    .toList());

            List<String> bodies = new ArrayList<>();
            for (Consumer consumer : consumers) {
                bodies.add(consumer.answer());
            }
            assertThat(bodies).doesNotHaveDuplicates().allMatch(body -> body.contains("\"receipt\""));
        } finally {
            for (Consumer consumer : consumers) {
                consumer.close();
            }
        }
    }

    @Test
    void aConsumerThatHungUpCostsNoAttempt() throws IOException {
        Consumer.ask("left", "50s").close();
        awaitWaiting(0);
        client.push(Map.of("topic", "left", "id", "l1", "body", "b"));
        assertThat(client.post("/pull?topic=left&wait=20s", "").text())
                .contains("\"l1\"")
                .contains("\"attempt\":1");
    }

    @Test
    void aStoppingNodeAnswersItsConsumers() throws IOException {
        try (Consumer consumer = Consumer.ask("drained", "50s")) {
            awaitWaiting(1);
            long begin = System.nanoTime();
            server.terminate();
            assertThat(consumer.answer()).contains("\"data\":[]");
            assertThat(consumer.headers).contains("connection: close");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        }
        assertThat(server.stop()).as("exit code").isZero();
        server.restart();
    }

    @Test
    void theWorkerInShellOfThePageDoesItsWork() throws IOException {
        String worker = Page.of("docs/pull.md").blocks().stream()
                .filter(block -> block.startsWith("#!/bin/sh"))
                .findFirst()
                .orElseThrow();
        Path script = Files.writeString(dir.resolve("worker.sh"), worker);
        Path out = dir.resolve("worker.out");
        Process process = new ProcessBuilder("sh", script.toString(), server.url(), "shell")
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            for (int i = 0; i < 3; i++) {
                client.push(Map.of("topic", "shell", "id", "s " + i + "+", "body", "work " + i, "delay", 100));
            }
            for (int i = 0; i < 3; i++) {
                String id = "s " + i + "+";
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                                client.job(id).dataObject().getString("statusName"))
                        .isEqualTo("FINISH"));
            }
            assertThat(Files.readString(out)).contains("work 0", "work 1", "work 2");
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    private static void awaitWaiting(int consumers) {
        await().atMost(PATIENCE).until(() -> client.get("/metrics")
                .text()
                .lines()
                .anyMatch(line -> line.startsWith("mykit_delay_pull_waiting ")
                        && Double.parseDouble(line.substring(line.indexOf(' ') + 1)) == consumers));
    }

    /** A consumer with a connection of its own. */
    private record Consumer(Socket socket, List<String> headers) implements AutoCloseable {
        static Consumer ask(String topic, String wait) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream()
                    .write(("POST /pull?topic=" + topic + "&wait=" + wait
                                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(UTF_8));
            return new Consumer(socket, new ArrayList<>());
        }

        /** Reads the answer. Its body is one line without an end. */
        String answer() throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            int length = 0;
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                headers.add(line.toLowerCase(Locale.ROOT));
                if (headers.get(headers.size() - 1).startsWith("content-length: ")) {
                    length = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
                }
            }
            char[] body = new char[length];
            int read = 0;
            while (read < length) {
                read += in.read(body, read, length - read);
            }
            return new String(body);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
