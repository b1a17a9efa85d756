package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.example.IndexRefresh;
import io.mykit.delay.client.example.OrderConsumer;
import io.mykit.delay.client.example.OrderProducer;
import io.mykit.delay.client.example.OrderTimers;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs on the page of the client are those that were compiled, and they run. */
@Timeout(60)
class JavaClientPageTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("mykit.delay.repo", "../.."));
    private static final String EXAMPLES = "clients/mykit-delay-client/src/test/java/io/mykit/delay/client/example/";

    private final PullStub stub = new PullStub();

    @TempDir
    Path dir;

    @AfterEach
    void close() {
        stub.close();
    }

    @ParameterizedTest
    @CsvSource({
        "docs/java-client.md, OrderProducer.java", "docs/java-client.md, OrderConsumer.java",
        "docs/java-client.zh-CN.md, OrderProducer.java", "docs/java-client.zh-CN.md, OrderConsumer.java",
        "docs/java-client.md, IndexRefresh.java", "docs/java-client.zh-CN.md, IndexRefresh.java",
        "docs/java-client.md, OrderTimers.java", "docs/java-client.zh-CN.md, OrderTimers.java"
    })
    void theProgramsOnThePageAreTheExamples(String page, String program) throws IOException {
        String source = Files.readString(REPOSITORY.resolve(EXAMPLES + program)).replaceFirst("package .*;\n\n", "");
        assertThat(Files.readString(REPOSITORY.resolve(page))).contains("```java\n" + source + "```\n");
    }

    @Test
    void theProducerPushesAndCancels() throws Exception {
        try (StubServer server = StubServer.accepting()) {
            Process producer = run(OrderProducer.class, server.url());

            assertThat(producer.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(output()).matches("pushed \\w{20}\nCANCELLED\n");
            assertThat(server.requests().get(0).json().integer("delay")).isEqualTo(1_800_000);
        }
    }

    @Test
    void eachEditIsAPushOfItsOwn() throws Exception {
        try (StubServer server = StubServer.accepting()) {
            Process edits = run(IndexRefresh.class, server.url());

            assertThat(edits.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(output()).isEqualTo("""
                    search-document-7: edit 1
                    search-document-7: edit 2
                    search-document-7: edit 3
                    """);
            assertThat(server.requests())
                    .hasSize(3)
                    .allSatisfy(push -> assertThat(push.json().text("id")).isEqualTo("search-document-7"))
                    .extracting(push -> push.json().text("idempotencyKey"))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void theTimersOfAnOrderAreCancelledTogether() throws Exception {
        try (StubServer server = StubServer.accepting()) {
            server.then(
                    StubServer.ok("\"a\""),
                    StubServer.ok("\"b\""),
                    StubServer.ok(
                            "[{\"id\":\"a\",\"code\":200,\"data\":\"a\"},{\"id\":\"b\",\"code\":200,\"data\":\"b\"}]"));
            Process timers = run(OrderTimers.class, server.url());

            assertThat(timers.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(output()).isEqualTo("a: CANCELLED\nb: CANCELLED\n");
            assertThat(server.requests().get(0).json().text("bizKey")).isEqualTo("4711");
            assertThat(server.requests().get(2).uri()).isEqualTo("/delete?topic=orders&bizKey=4711");
        }
    }

    @Test
    void theConsumerRunsUntilItIsTerminated() throws Exception {
        Process consumer = run(OrderConsumer.class, stub.server().url());
        stub.due("20", "21");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(stub.settled()).containsExactlyInAnyOrder("ack 20", "ack 21"));
        assertThat(consumer.isAlive()).isTrue();

        consumer.destroy();

        assertThat(consumer.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(output()).contains("20: body of 20\n", "21: body of 21\n");
    }

    private Process run(Class<?> program, String endpoint) throws IOException, URISyntaxException {
        String classPath = location(program) + System.getProperty("path.separator") + location(DelayClient.class);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        classPath,
                        program.getName(),
                        endpoint)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("output").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(dir.resolve("output"), UTF_8);
    }

    private static String location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
