package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The image is not built here. Its file is compared with the files and the defaults that it uses. */
class DockerfileTest {
    private static final List<String> INSTRUCTIONS = instructions();

    @Test
    void onlyKnownInstructionsAreUsed() {
        assertThat(INSTRUCTIONS).allSatisfy(line -> assertThat(line)
                .matches("(ARG|FROM|COPY|RUN|ENV|USER|WORKDIR|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) .*"));
    }

    @Test
    void theBaseHasAVersionAndTheJavaOfTheBuild() {
        assertThat(of("ARG")).hasSize(1).allSatisfy(base -> assertThat(base)
                .matches("BASE=eclipse-temurin:17-[a-z-]+")
                .doesNotContain("latest"));
        assertThat(of("FROM")).containsExactly("${BASE} AS unpacked", "${BASE}");
    }

    @Test
    void eachCopiedFileIsInTheContext() {
        List<String> allowed = DeployFiles.text("docker/Dockerfile.dockerignore")
                .lines()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        List<String> copied = of("COPY").stream()
                .filter(line -> !line.startsWith("--from"))
                .map(line -> line.replaceFirst("--chmod=\\d+ ", "").split(" ", -1)[0])
                .toList();
        assertThat(copied).containsExactlyInAnyOrderElementsOf(allowed);
        assertThat(copied).filteredOn(file -> !file.contains("*")).allSatisfy(file -> assertThat(
                        Files.exists(DeployFiles.root().resolve(file)))
                .isTrue());
        // The archive's name in the build.
        assertThat(DeployFiles.text("../mykit-delay-core/pom.xml"))
                .contains("<finalName>mykit-delay-${project.version}</finalName>");
        assertThat(copied).contains("mykit-delay-core/target/mykit-delay-*.tar.gz");
    }

    @Test
    void theUserIsANumberThatIsNotRoot() {
        assertThat(of("USER")).containsExactly("10001:10001");
        assertThat(of("COPY")).contains("--from=unpacked --chown=10001:10001 /data /data");
    }

    @Test
    void portAndSettingsAreThoseOfTheServer() {
        assertThat(of("EXPOSE")).containsExactly(String.valueOf(DeployFiles.port()));
        assertThat(DeployFiles.text("docker/health.sh"))
                .contains("${MYKIT_DELAY_HTTP_PORT:-" + DeployFiles.port() + "}");
        List<String> names = Arrays.stream(of("ENV").get(1).split(" ", -1))
                .map(setting -> setting.replaceFirst("=.*", ""))
                .toList();
        assertThat(DeployFiles.variables().keySet()).containsAll(names);
        assertThat(of("VOLUME")).containsExactly("/data");
        assertThat(of("ENV")).hasSize(2).contains("LANG=C.UTF-8");
        assertThat(of("ENV").get(1)).contains("MYKIT_DELAY_DATA_DIR=/data");
    }

    @Test
    void theJvmGetsTheSignals() {
        assertThat(of("STOPSIGNAL")).containsExactly("SIGTERM");
        assertThat(of("ENTRYPOINT")).containsExactly("[\"/opt/mykit-delay/bin/mykit-delay\"]");
        assertThat(DeployFiles.text("../bin/mykit-delay")).contains("\nexec \"$java\"");
    }

    /** The arguments of each instruction of this name. */
    static List<String> of(String name) {
        return INSTRUCTIONS.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .toList();
    }

    private static List<String> instructions() {
        List<String> instructions = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        for (String line : DeployFiles.text("docker/Dockerfile").lines().toList()) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            boolean goesOn = text.endsWith("\\");
            current.append(goesOn ? text.substring(0, text.length() - 1) : text);
            if (!goesOn) {
                instructions.add(current.toString().replaceAll(" +", " ").strip());
                current.setLength(0);
            }
        }
        return instructions;
    }
}
