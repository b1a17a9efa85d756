package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.agent.AgentJar;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The script of the distribution, in a copy that was never started before. */
class StartScriptIT {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    @Tag("long")
    void theFirstStartMayHaveAJavaAgent() throws IOException {
        Path home = copyOf(DelayServer.home());
        String agent = "-javaagent:" + AgentJar.write(dir) + "=aheadMs=0";
        List<String> command = List.of(home.resolve("bin/mykit-delay").toString(), "--help");
        try (ServerProcess process = ServerProcess.start("help", dir, command, Map.of("JAVA_OPTS", agent))) {
            assertThat(process.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(process.exitCode()).as(process.log()).isZero();
            assertThat(process.log()).contains("mykit.delay.http.port");
        }
    }

    @Test
    @Tag("long")
    void theFirstStopClosesThePortBeforeItWritesTheClassArchive() throws IOException {
        Path home = copyOf(DelayServer.home());
        int port = FreePorts.next();
        List<String> command = List.of(
                home.resolve("bin/mykit-delay").toString(),
                "--mykit.delay.http.port=" + port,
                "--mykit.delay.activemq.embedded-port=0");
        DelayClient client = new DelayClient(port);
        try (ServerProcess process = ServerProcess.start("first", dir, command, Map.of())) {
            process.awaitReady(() -> client.get("/health/ready").status() == 200);
            process.terminate();
            await().atMost(Duration.ofSeconds(30)).until(() -> process.log().contains("Writing the archive"));
            assertThatThrownBy(() -> client.get("/health/ready")).isInstanceOf(RuntimeException.class);
            assertThat(process.awaitEnd(Duration.ofSeconds(60))).isTrue();
            assertThat(process.exitCode()).isZero();
            assertThat(process.log())
                    .contains("Writing the archive of loaded classes")
                    .doesNotContain("dump to file")
                    .endsWith("mykit-delay stopped\n");
        }
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            assertThat(files).anyMatch(file -> file.toString().endsWith(".jsa"));
        }
    }

    @Test
    @Tag("nightly")
    void aNodeWithAStandbyRecordsNoClassesForAnArchive() throws IOException {
        Path home = copyOf(DelayServer.home());
        Path java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; else echo "$@"; fi
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path named = Files.writeString(dir.resolve("named.yml"), "mykit:\n  delay:\n    mode: master-standby # two\n");
        assertThat(started(home, Map.of())).contains("RecordDynamicDumpInfo");
        assertThat(started(home, Map.of("MYKIT_DELAY_MODE", "master-standby"))).doesNotContain("RecordDynamicDumpInfo");
        assertThat(started(home, Map.of(), "--mykit.delay.mode=master-standby"))
                .doesNotContain("RecordDynamicDumpInfo");
        assertThat(started(home, Map.of(), "--config", named.toString())).doesNotContain("RecordDynamicDumpInfo");
        Files.copy(named, home.resolve("conf/application.yml"));
        assertThat(started(home, Map.of())).doesNotContain("RecordDynamicDumpInfo");
    }

    @Test
    @Tag("long")
    void aJarInPluginsIsAChannel() throws IOException {
        Path home = copyOf(DelayServer.home());
        Path jar = Path.of(
                System.getProperty("mykit.delay.repo"), "examples/example-channel/target/example-channel-1.0.jar");
        Files.copy(jar, Files.createDirectories(home.resolve("plugins")).resolve("example-channel.jar"));
        Path arrived = dir.resolve("arrived.tsv");
        int port = FreePorts.next();
        List<String> command = List.of(
                home.resolve("bin/mykit-delay").toString(),
                "--mykit.delay.http.port=" + port,
                "--mykit.delay.delivery.default-channel=file",
                "--mykit.delay.file.path=" + arrived);
        DelayClient client = new DelayClient(port);
        try (ServerProcess process = ServerProcess.start("plugin", dir, command, Map.of())) {
            process.awaitReady(() -> client.get("/health/ready").status() == 200);
            assertThat(process.log()).contains("channels  file " + arrived);
            client.push(Map.of("topic", "orders", "id", "plugged", "body", "in"));
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(arrived)
                    .exists()
                    .content()
                    .startsWith("plugged\torders\t")
                    .endsWith("\tin\n"));
            process.terminate();
            assertThat(process.awaitEnd(Duration.ofSeconds(60))).isTrue();
        }
    }

    /** Many servers and containers have this locale. */
    @Test
    @Tag("long")
    void aLocaleWithoutUtf8LosesNoTopic() throws IOException {
        String script = copyOf(DelayServer.home()).resolve("bin/mykit-delay").toString();
        // The shell makes the bytes of the topic: this JVM may have the same locale.
        String argument = "exec " + script + " --mykit.delay.delivery.topics.$(printf '\\350\\256\\242')=pull";
        try (ServerProcess process =
                ServerProcess.start("lost", dir, List.of("sh", "-c", argument), Map.of("LC_ALL", "C"))) {
            assertThat(process.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(process.exitCode()).as(process.log()).isEqualTo(2);
            assertThat(process.log()).contains("(from the command line)", "set LANG=C.UTF-8");
        }
    }

    @Test
    @Tag("nightly")
    void theOutputIsUtf8InEachLocale() throws IOException {
        String script = copyOf(DelayServer.home()).resolve("bin/mykit-delay").toString();
        Path bad = Files.writeString(dir.resolve("bad.yml"), "mykit.delay.delivery.topics: {订单：pull}\n");
        List<String> refused = List.of(script, "--config", bad.toString());
        try (ServerProcess process = ServerProcess.start("refused", dir, refused, Map.of("LC_ALL", "C"))) {
            assertThat(process.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(process.exitCode()).as(process.log()).isEqualTo(2);
            assertThat(process.log()).contains("topics.订单：pull = ", "should \"：\" be \":\"?");
        }
        int port = FreePorts.next();
        List<String> command = List.of(
                script,
                "--mykit.delay.http.port=" + port,
                "--mykit.delay.delivery.default-channel=pull",
                "--mykit.delay.log.file=plain.log");
        DelayClient client = new DelayClient(port);
        try (ServerProcess process = ServerProcess.start("chinese", dir, command, Map.of("LC_ALL", "C"))) {
            process.awaitReady(() -> client.get("/health/ready").status() == 200);
            client.post("/topics/pause?topic=%E8%AE%A2%E5%8D%95", "");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(process.log()).contains("Topic 订单 is paused"));
            assertThat(dir.resolve("plain.log")).content().contains("Topic 订单 is paused");
            process.terminate();
            assertThat(process.awaitEnd(Duration.ofSeconds(60))).isTrue();
        }
    }

    /** The command that the script would start. */
    private String started(Path home, Map<String, String> environment, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/mykit-delay").toString()));
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", dir.resolve("jdk").toString());
        String name = "started-" + System.nanoTime();
        try (ServerProcess process = ServerProcess.start(name, dir, command, all)) {
            assertThat(process.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(process.log()).contains("MykitDelayServer");
            return process.log();
        }
    }

    /** A copy without the class archive that a start leaves behind. */
    private Path copyOf(Path original) throws IOException {
        Path home = dir.resolve("home");
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.copy(original.resolve("bin/mykit-delay"), home.resolve("bin/mykit-delay"));
        Files.createDirectories(home.resolve("conf"));
        Files.copy(original.resolve("conf/logback.xml"), home.resolve("conf/logback.xml"));
        try (Stream<Path> files = Files.list(original.resolve("lib"))) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Files.copy(jar, home.resolve("lib").resolve(jar.getFileName()));
            }
        }
        return home;
    }
}
