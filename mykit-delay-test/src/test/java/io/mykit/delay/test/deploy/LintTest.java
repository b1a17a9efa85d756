package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks by programs that may be installed. Where one is missing its test is skipped. */
class LintTest {
    private static final Pattern EXPOSURE = Pattern.compile("exposure level for \\S+: ([0-9.]+)");
    private static final double MOST_EXPOSED = 2.5;

    @TempDir
    Path dir;

    @Test
    void shellScriptsAreClean() throws Exception {
        clean(
                "shellcheck",
                "bin/mykit-delay",
                "bin/set-version",
                "deploy/docker/health.sh",
                ".ci/packages",
                ".ci/packages-inside");
        clean(
                "shellcheck",
                "deploy/debian/control/postinst",
                "deploy/debian/control/prerm",
                "deploy/debian/control/postrm");
    }

    @Test
    void yamlFilesAreClean() throws Exception {
        clean("yamllint", "-s", "-c", "deploy/.yamllint", "deploy", ".github");
    }

    @Test
    void theUnitIsValidAndShutOff() throws Exception {
        // The program is not installed here, and its path would be an error.
        Path unit = Files.writeString(
                dir.resolve("mykit-delay.service"),
                DeployFiles.text("systemd/mykit-delay.service")
                        .replaceFirst("(?m)^ExecStart=.*", "ExecStart=/bin/true"));
        clean("systemd-analyze", "verify", unit.toString());
        Matcher exposure =
                EXPOSURE.matcher(run("systemd-analyze", "security", "--offline=true", "--no-pager", unit.toString())
                        .output());
        assertThat(exposure.find()).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).isLessThanOrEqualTo(MOST_EXPOSED);
    }

    @Test
    void manifestsHaveTheSchemaOfKubernetes() throws Exception {
        clean("kubeconform", "-strict", "deploy/kubernetes/mykit-delay.yaml");
    }

    /** Compose itself reads the file, with the variables of the example. */
    @Test
    void composeReadsItsFile() throws Exception {
        assumeTrue(
                run("docker-compose", "version", "--short").output().matches("2\\.(2[3-9]|[3-9]\\d).*\\s*"),
                "docker-compose is older than 2.23");
        clean(
                "docker-compose",
                "--env-file",
                "deploy/.env.example",
                "-f",
                "deploy/compose.yml",
                "--profile",
                "observe",
                "config",
                "--quiet");
    }

    private static void clean(String... command) throws Exception {
        Finished finished = run(command);
        assertThat(finished.code()).as(finished.output()).isZero();
        assertThat(finished.output().strip()).isEmpty();
    }

    private static Finished run(String... command) throws IOException, InterruptedException {
        assumeTrue(isInstalled(command[0]), command[0] + " is not installed");
        return runIn(DeployFiles.root(), command);
    }

    static Finished runIn(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(command))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Finished(process.waitFor(), output);
    }

    static boolean isInstalled(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        try (Stream<String> places = Arrays.stream(path.split(":", -1))) {
            return places.anyMatch(place -> Files.isExecutable(Path.of(place, program)));
        }
    }

    record Finished(int code, String output) {}
}
