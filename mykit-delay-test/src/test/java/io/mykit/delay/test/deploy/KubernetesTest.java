package io.mykit.delay.test.deploy;

import static io.mykit.delay.test.deploy.DeployFiles.at;
import static io.mykit.delay.test.deploy.DeployFiles.list;
import static io.mykit.delay.test.deploy.DeployFiles.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ConfigLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** No cluster runs here. The manifests are compared with each other and with the keys and defaults of the server. */
class KubernetesTest {
    private static final List<Map<String, Object>> ALL = DeployFiles.yaml("kubernetes/mykit-delay.yaml");
    private static final Map<String, Object> POD = map(at(one("Deployment"), "spec", "template", "spec"));
    private static final Map<String, Object> CONTAINER =
            map(list(POD.get("containers")).get(0));

    @Test
    void selectorsMatchTheLabelsOfThePods() {
        Map<String, Object> labels = map(at(one("Deployment"), "spec", "template", "metadata", "labels"));
        assertThat(labels)
                .isNotEmpty()
                .isEqualTo(at(one("Deployment"), "spec", "selector", "matchLabels"))
                .isEqualTo(at(one("Service"), "spec", "selector"))
                .isEqualTo(at(one("PodDisruptionBudget"), "spec", "selector", "matchLabels"))
                .isEqualTo(at(one("NetworkPolicy"), "spec", "podSelector", "matchLabels"))
                .isEqualTo(at(list(POD.get("topologySpreadConstraints")).get(0), "labelSelector", "matchLabels"));
        Object monitor = DeployFiles.yaml("kubernetes/monitoring.yaml").get(0);
        assertThat(at(monitor, "spec", "selector", "matchLabels")).isEqualTo(at(one("Service"), "metadata", "labels"));
        assertThat(at(list(at(monitor, "spec", "endpoints")).get(0), "port")).isEqualTo("http");
    }

    @Test
    void portsAreThoseOfTheServer() {
        assertThat(list(CONTAINER.get("ports")))
                .singleElement()
                .isEqualTo(Map.of("name", "http", "containerPort", DeployFiles.port()));
        assertThat(list(at(one("Service"), "spec", "ports")))
                .singleElement()
                .isEqualTo(Map.of("name", "http", "port", DeployFiles.port(), "targetPort", "http"));
    }

    @Test
    void theConfigurationCanBeUsed() {
        Map<String, String> values = new HashMap<>(
                DeployFiles.flat(map(new Yaml().load("" + at(one("ConfigMap"), "data", "application.yml")))));
        for (Object variable : list(CONTAINER.get("env"))) {
            assertThat(DeployFiles.variables()).containsKey("" + at(variable, "name"));
            assertThat(at(variable, "valueFrom", "secretKeyRef", "name")).isEqualTo("mykit-delay");
        }
        values.put("mykit.delay.redis.uri", "redis://:secret@redis:6379/0");
        assertThat(ConfigLoader.load(values).mode().name()).isEqualTo("MASTER_STANDBY");
    }

    @Test
    void probesAskTheRoutesOfProbes() {
        assertThat(at(CONTAINER, "startupProbe", "httpGet", "path")).isEqualTo("/health/live");
        assertThat(at(CONTAINER, "livenessProbe", "httpGet", "path")).isEqualTo("/health/live");
        assertThat(at(CONTAINER, "readinessProbe", "httpGet", "path")).isEqualTo("/health/ready");
    }

    @Test
    void aPodGetsTheTimeToStop() {
        int preStop = Integer.parseInt(""
                + list(at(CONTAINER, "lifecycle", "preStop", "exec", "command")).get(1));
        assertThat((int) POD.get("terminationGracePeriodSeconds")).isGreaterThan(preStop + DeployFiles.STOP_SECONDS);
    }

    @Test
    void thereIsAlwaysANodeThatServes() {
        assertThat(at(one("Deployment"), "spec", "replicas")).isEqualTo(2);
        assertThat(at(one("Deployment"), "spec", "strategy", "rollingUpdate", "maxUnavailable"))
                .isEqualTo(0);
        assertThat(at(one("PodDisruptionBudget"), "spec", "minAvailable")).isEqualTo(1);
    }

    @Test
    void theContainerHasNoRights() {
        assertThat(at(POD, "securityContext", "runAsNonRoot")).isEqualTo(true);
        assertThat(at(POD, "securityContext", "runAsUser") + ":" + at(POD, "securityContext", "runAsGroup"))
                .isEqualTo(DockerfileTest.of("USER").get(0));
        assertThat(at(POD, "securityContext", "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(POD.get("automountServiceAccountToken")).isEqualTo(false);
        assertThat(at(CONTAINER, "securityContext", "allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(at(CONTAINER, "securityContext", "readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(at(CONTAINER, "securityContext", "capabilities", "drop")).isEqualTo(List.of("ALL"));
        assertThat(CONTAINER.get("image")).isEqualTo("mykit-delay:" + DeployFiles.version());
    }

    @Test
    void theMemoryIsReservedAndHoldsTheHeapOfTheTests() {
        String limit = "" + at(CONTAINER, "resources", "limits", "memory");
        assertThat(at(CONTAINER, "resources", "requests", "memory")).isEqualTo(limit);
        int mebibytes = Integer.parseInt(limit.replace("Mi", ""));
        // The servers of the integration tests run with -Xmx384m.
        assertThat(mebibytes * share() / 100).isGreaterThan(384);
    }

    /** A pod whose volume is over its limit is evicted. */
    @Test
    void aHeapDumpFitsIntoTheDataDirectory() {
        int memory = Integer.parseInt(("" + at(CONTAINER, "resources", "limits", "memory")).replace("Mi", ""));
        String limit = list(POD.get("volumes")).stream()
                .filter(volume -> "data".equals(at(volume, "name")))
                .map(volume -> "" + at(volume, "emptyDir", "sizeLimit"))
                .findFirst()
                .orElseThrow();
        assertThat(Integer.parseInt(limit.replace("Gi", "")) * 1024).isGreaterThan(memory * share() / 100);
    }

    @Test
    void eachMountHasItsVolume() {
        List<Object> volumes = list(POD.get("volumes")).stream()
                .map(volume -> at(volume, "name"))
                .toList();
        assertThat(list(CONTAINER.get("volumeMounts")))
                .extracting(mount -> at(mount, "name"))
                .containsExactlyInAnyOrderElementsOf(volumes);
        assertThat(list(CONTAINER.get("volumeMounts")))
                .extracting(mount -> at(mount, "mountPath"))
                .containsExactlyInAnyOrder("/etc/mykit-delay/application.yml", "/data", "/tmp");
    }

    private static int share() {
        return DeployFiles.text("jvm.options")
                .lines()
                .filter(line -> line.startsWith("-XX:MaxRAMPercentage="))
                .map(line -> Integer.parseInt(line.replaceFirst(".*=", "")))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> one(String kind) {
        List<Map<String, Object>> found = ALL.stream()
                .filter(document -> Objects.equals(document.get("kind"), kind))
                .toList();
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }
}
