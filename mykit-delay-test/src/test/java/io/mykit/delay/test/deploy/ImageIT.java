package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directories of the image, made by the commands of its Dockerfile: the server runs with the image's account, settings and
 * JVM options, and writes to its data directory alone.
 */
@Tag("long")
class ImageIT {
    private static final String TOKEN = "t0ken-of-an-operator";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final int port = FreePorts.next();
    private final DelayClient client = new DelayClient(port);
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void letTheFilesBeRemoved() throws IOException {
        Unprivileged.removable(dir);
    }

    @Test
    void theServerRunsWithTheRightsOfTheImage() throws Exception {
        assumeTrue(Unprivileged.isPossible(), "root needs setpriv (util-linux) to give up its rights");
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path root = layOut();
        Path data = Unprivileged.writable(root.resolve("data"));
        Path log = data.resolve("server.log");
        List<String> command = Unprivileged.command(
                List.of(root.resolve("opt/mykit-delay/bin/mykit-delay").toString()));
        ServerProcess server = ServerProcess.start("image", dir, command, settings(root, log));
        try (server) {
            server.awaitReady(
                    Duration.ofMinutes(3), () -> client.get("/health/ready").status() == 200);
            assertThat(ProcessHandle.of(server.pid())
                            .flatMap(process -> process.info().arguments()))
                    .hasValueSatisfying(arguments -> assertThat(arguments)
                            .contains("-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", "-XX:MaxRAM=512m"));
            assertThat(heap()).isBetween(280L << 20, 330L << 20);
            probesNeedNoToken();
            theHealthScriptSays(root, 0);
            aLevelChangesForAWhile();
            server.terminate();
            assertThat(server.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(server.exitCode()).as(server.log()).isZero();
        }
        theHealthScriptSays(root, 1);
        linesAreJson(server.log().lines().filter(line -> !line.startsWith("[")).toList());
        linesAreJson(Files.readAllLines(log));
        assertThat(server.log()).doesNotContain(TOKEN);
    }

    /** Runs the commands of the image's first stage on directories of this test. */
    private Path layOut() throws Exception {
        Path root = Files.createDirectories(dir.resolve("root"));
        Path archive =
                DeployFiles.root().resolve("mykit-delay-core/target/mykit-delay-" + DeployFiles.version() + ".tar.gz");
        Files.createSymbolicLink(root.resolve("server.tar.gz"), archive);
        Files.createDirectories(root.resolve("etc/mykit-delay"));
        Files.createDirectories(root.resolve("opt"));
        Files.copy(DeployFiles.file("jvm.options"), root.resolve("etc/mykit-delay/jvm.options"));
        String commands = DockerfileTest.of("RUN").get(0).replaceAll("(?<= )/(?=opt|etc|data|server)", root + "/");
        Process shell = new ProcessBuilder("sh", "-ec", commands).inheritIO().start();
        assertThat(shell.waitFor()).as(commands).isZero();
        Path health = root.resolve("opt/mykit-delay/bin/health.sh");
        Files.copy(DeployFiles.file("docker/health.sh"), health);
        assertThat(health.toFile().setExecutable(true, false)).isTrue();
        Unprivileged.readOnly(root.resolve("opt"));
        Unprivileged.readOnly(root.resolve("etc"));
        return root;
    }

    private Map<String, String> settings(Path root, Path log) {
        Map<String, String> settings = new HashMap<>();
        for (String setting : DockerfileTest.of("ENV").get(1).split(" ", -1)) {
            settings.put(setting.replaceFirst("=.*", ""), setting.replaceFirst(".*?=", ""));
        }
        settings.put("MYKIT_DELAY_DATA_DIR", root.resolve("data").toString());
        settings.put("MYKIT_DELAY_HTTP_HOST", "127.0.0.1");
        settings.put("MYKIT_DELAY_HTTP_PORT", String.valueOf(port));
        settings.put("MYKIT_DELAY_HTTP_ADMIN_TOKEN", TOKEN);
        settings.put("MYKIT_DELAY_DELIVERY_DEFAULT_CHANNEL", "pull");
        settings.put("MYKIT_DELAY_LOG_FILE", log.toString());
        settings.put("MYKIT_DELAY_LOG_REQUESTS", "all");
        // No directory for temporary files, and the memory of a small container.
        settings.put("JAVA_OPTS", "-XX:MaxRAM=512m -Djava.io.tmpdir=" + root.resolve("opt"));
        return settings;
    }

    private long heap() throws Exception {
        return http.send(request("/metrics").build(), BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line ->
                        line.startsWith("jvm_memory_max_bytes") && line.contains("heap\"") && !line.contains("nonheap"))
                .mapToLong(line -> (long) Double.parseDouble(line.replaceFirst(".* ", "")))
                .filter(bytes -> bytes > 0)
                .max()
                .orElse(0);
    }

    private void probesNeedNoToken() {
        for (String probe : List.of("/health/live", "/health/ready")) {
            assertThat(client.get(probe).status()).as(probe).isEqualTo(200);
        }
        assertThat(client.get("/log").status()).isEqualTo(401);
    }

    private void theHealthScriptSays(Path root, int code) throws Exception {
        ProcessBuilder script =
                new ProcessBuilder(root.resolve("opt/mykit-delay/bin/health.sh").toString());
        script.environment().put("MYKIT_DELAY_HTTP_PORT", String.valueOf(port));
        assertThat(script.redirectErrorStream(true).start().waitFor()).isEqualTo(code);
    }

    private void aLevelChangesForAWhile() throws Exception {
        String logger = "io.mykit.delay.queue";
        HttpResponse<String> changed = http.send(
                request("/log")
                        .header("content-type", "application/json")
                        .header("x-request-id", "from-the-test")
                        .POST(BodyPublishers.ofString(
                                "{\"logger\":\"" + logger + "\",\"level\":\"trace\",\"for\":\"1s\"}"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(changed.headers().firstValue("x-request-id")).hasValue("from-the-test");
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !http.send(request("/log").build(), BodyHandlers.ofString())
                        .body()
                        .contains(logger));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + TOKEN);
    }

    private static void linesAreJson(List<String> lines) {
        assertThat(lines).hasSizeGreaterThan(3).allSatisfy(line -> {
            JSONObject json = JSON.parseObject(line);
            assertThat(json).containsKeys("@timestamp", "level", "logger", "thread", "message", "queue", "version");
        });
        assertThat(lines).anySatisfy(line -> assertThat(JSON.parseObject(line))
                .containsEntry("request_id", "from-the-test")
                .containsEntry("route", "setLog")
                .containsEntry("caller", "operator")
                .containsEntry("role", "leader"));
    }
}
