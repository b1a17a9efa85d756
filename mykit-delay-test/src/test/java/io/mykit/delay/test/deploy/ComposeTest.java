package io.mykit.delay.test.deploy;

import static io.mykit.delay.test.deploy.DeployFiles.at;
import static io.mykit.delay.test.deploy.DeployFiles.list;
import static io.mykit.delay.test.deploy.DeployFiles.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.ConfigReference;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compose is not run here. Its file is compared with the files, keys and defaults that it uses. */
class ComposeTest {
    private static final Map<String, Object> FILE =
            DeployFiles.yaml("compose.yml").get(0);
    private static final Map<String, Object> SERVICES = map(FILE.get("services"));
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)");

    @Test
    void theSettingsOfANodeAreAConfiguration() {
        Map<String, Object> given = map(at(SERVICES, "node-a", "environment"));
        assertThat(DeployFiles.variables().keySet()).containsAll(given.keySet());
        assertThat(given).isEqualTo(at(SERVICES, "node-b", "environment"));
        Map<String, String> values = new HashMap<>();
        given.forEach((variable, value) ->
                values.put(key(variable), String.valueOf(value).replaceAll("\\$\\{[^}]*}", "x")));
        assertThat(ConfigLoader.load(values).mode().name()).isEqualTo("MASTER_STANDBY");
    }

    @Test
    void eachImageHasAVersion() {
        SERVICES.forEach((name, service) -> assertThat(String.valueOf(at(service, "image")))
                .as(name)
                .matches("[a-z/-]+:v?\\d.*")
                .doesNotContain("latest"));
        assertThat(at(SERVICES, "node-a", "image")).isEqualTo("mykit-delay:" + DeployFiles.version());
    }

    @Test
    void theServersOfTheTestsAreMeant() {
        String pom = DeployFiles.text("../pom.xml");
        assertThat(pom).contains("<rocketmq.version>" + version("broker") + "</rocketmq.version>");
        assertThat(pom).contains("<zookeeper.version>" + version("zookeeper") + ".");
    }

    @Test
    void eachMountedFileExists() {
        List<String> mounted = new ArrayList<>();
        SERVICES.values().forEach(service -> list(at(service, "volumes")).forEach(volume -> mounted.add("" + volume)));
        Set<String> named = map(FILE.get("volumes")).keySet();
        assertThat(mounted).isNotEmpty().allSatisfy(mount -> {
            String from = mount.split(":", -1)[0];
            assertThat(from.startsWith("./") ? Files.exists(DeployFiles.file(from)) : named.contains(from))
                    .as(mount)
                    .isTrue();
        });
        SERVICES.values().forEach(service -> list(at(service, "configs"))
                .forEach(config -> assertThat(map(FILE.get("configs"))).containsKey("" + at(config, "source"))));
    }

    @Test
    void portsAreUniqueAndLeadToTheServer() {
        List<String> outside = new ArrayList<>();
        SERVICES.forEach((name, service) -> list(at(service, "ports")).forEach(port -> {
            String[] parts = ("" + port).split(":", -1);
            assertThat(parts[0]).as("only this machine reaches %s", port).isEqualTo("127.0.0.1");
            outside.add(parts[1]);
            if (name.startsWith("node-")) {
                assertThat(parts[2]).isEqualTo(String.valueOf(DeployFiles.port()));
            }
        }));
        assertThat(outside).doesNotHaveDuplicates();
    }

    @Test
    void eachServiceWaitsForAServiceThatCanBeHealthy() {
        SERVICES.forEach((name, service) -> {
            if (at(service, "depends_on") instanceof Map<?, ?> needed) {
                map(needed).forEach((other, how) -> {
                    assertThat(SERVICES).containsKey(other);
                    if ("service_healthy".equals(at(how, "condition"))) {
                        assertThat(at(SERVICES, other, "healthcheck")).as(other).isNotNull();
                    }
                });
            }
        });
    }

    @Test
    void eachVariableIsInTheExample() {
        Set<String> used = new TreeSet<>();
        VARIABLE.matcher(DeployFiles.text("compose.yml")).results().forEach(match -> used.add(match.group(1)));
        List<String> given = DeployFiles.text(".env.example")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("=.*", ""))
                .toList();
        assertThat(given).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void aNodeGetsTheTimeToStop() {
        assertThat(DeployFiles.seconds(at(SERVICES, "node-a", "stop_grace_period")))
                .isGreaterThan(DeployFiles.STOP_SECONDS);
    }

    private static String version(String service) {
        return ("" + at(SERVICES, service, "image")).replaceFirst(".*:", "");
    }

    private static String key(String variable) {
        return ConfigReference.entries().stream()
                .map(ConfigReference.Entry::name)
                .filter(name -> name.replaceAll("[^A-Za-z0-9]", "_").equalsIgnoreCase(variable))
                .findFirst()
                .orElseThrow();
    }
}
