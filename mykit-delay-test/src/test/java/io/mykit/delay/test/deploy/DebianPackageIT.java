package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, if the build made one. It is unpacked and not installed. */
@Tag("nightly")
class DebianPackageIT {
    private static final Path DEB =
            DeployFiles.root().resolve("mykit-delay-core/target/mykit-delay_" + DeployFiles.version() + "_all.deb");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @BeforeEach
    void thereIsOne() {
        assumeTrue(Files.exists(DEB), "no .deb was built: mvn -Plong");
        assumeTrue(LintTest.isInstalled("dpkg-deb"), "dpkg-deb is not installed");
    }

    @Test
    void theConfigurationIsApartAndTheSecretsAreNotReadable() throws Exception {
        assertThat(run("dpkg-deb", "-I", DEB.toString(), "conffiles").lines())
                .containsExactlyInAnyOrder(
                        "/etc/mykit-delay/application.yml",
                        "/etc/mykit-delay/logback.xml",
                        "/etc/mykit-delay/jvm.options",
                        "/etc/mykit-delay/environment");
        String content = run("dpkg-deb", "-c", DEB.toString());
        assertThat(content)
                .containsPattern("-rw------- root/root +\\d+ .* \\./etc/mykit-delay/environment")
                .containsPattern("-rwxr-xr-x root/root +\\d+ .* \\./usr/share/mykit-delay/bin/mykit-delay")
                .contains("./lib/systemd/system/mykit-delay.service", "./usr/lib/sysusers.d/mykit-delay.conf")
                .contains("./usr/share/man/man1/mykit-delay.1", "./usr/share/doc/mykit-delay/copyright")
                .contains(
                        "./usr/share/doc/mykit-delay/deploy/prometheus/rules.yml",
                        "./usr/share/doc/mykit-delay/deploy/grafana/mykit-delay.json",
                        "./usr/share/doc/mykit-delay/examples/example-client/README.md",
                        "./usr/share/doc/mykit-delay/sql/optional/search.sql")
                .doesNotContain(".jsa");
        assertThat(run("dpkg-deb", "-I", DEB.toString())).contains("Architecture: all", "postinst", "prerm", "postrm");
    }

    @Test
    void theUnpackedTreeStarts() throws Exception {
        run("dpkg-deb", "-x", DEB.toString(), dir.resolve("tree").toString());
        Path program = dir.resolve("tree/usr/bin/mykit-delay");
        int port = FreePorts.next();
        DelayClient client = new DelayClient(port);
        List<String> command = List.of(
                program.toString(), "--mykit.delay.http.port=" + port, "--mykit.delay.delivery.default-channel=pull");
        try (ServerProcess server = ServerProcess.start("deb", dir, command, Map.of())) {
            server.awaitReady(
                    Duration.ofMinutes(3), () -> client.get("/health/ready").status() == 200);
            assertThat(server.log()).containsPattern("config +\\S+/conf/application.yml");
            assertThat(server.stop(Duration.ofSeconds(30))).isZero();
        }
    }

    @Test
    void theLibrariesAndTheirLicensesAreListed() throws Exception {
        run("dpkg-deb", "-x", DEB.toString(), dir.resolve("tree").toString());
        Path legal = dir.resolve("tree/usr/share/doc/mykit-delay/legal");
        assertThat(legal.resolve("THIRD-PARTY.txt")).content().contains("io.vertx:vertx-core:");
        assertThat(legal.resolve("licenses/Apache-2.0.txt")).isNotEmptyFile();
        assertThat(legal.resolve("libraries/embedded-redis/LICENSE-redis.txt")).isNotEmptyFile();
    }

    @Test
    void aReleaseHasABillOfMaterials() throws Exception {
        run("dpkg-deb", "-x", DEB.toString(), dir.resolve("tree").toString());
        Path bill = dir.resolve("tree/usr/share/doc/mykit-delay/legal/sbom.json");
        assumeTrue(Files.exists(bill), "no bill of materials: mvn -Prelease, with the network");
        assertThat(bill).content().contains("CycloneDX", "pkg:maven/io.vertx/vertx-core@");
    }

    @Test
    void lintianFindsNoErrorAndNoWarning() throws Exception {
        assumeTrue(LintTest.isInstalled("lintian"), "lintian is not installed");
        // Root is warned, by a line without a tag.
        assertThat(run("lintian", "--fail-on", "none", "--tag-display-limit", "0", DEB.toString()))
                .doesNotContainPattern("(?m)^[EW]: ");
    }

    @Test
    void eachOverrideOfLintianHasItsReason() {
        List<String> lines =
                DeployFiles.text("debian/lintian-overrides").lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i).startsWith("#")).as(lines.get(i)).isEqualTo(i % 2 == 0);
        }
    }

    private String run(String... command) throws Exception {
        Process process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
