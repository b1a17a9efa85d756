package io.mykit.delay.test.deploy;

import static io.mykit.delay.test.deploy.DeployFiles.at;
import static io.mykit.delay.test.deploy.DeployFiles.list;
import static io.mykit.delay.test.deploy.DeployFiles.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The manifests have the fields and types of the API of Kubernetes, as its Java client knows them. The ServiceMonitor is not a kind
 * of Kubernetes itself, and is compared by {@link KubernetesTest} only.
 */
class KubernetesSchemaTest {
    private static final Map<String, Kind> KINDS = Map.of(
            "v1/ConfigMap", new Kind(V1ConfigMap.class, V1ConfigMap::validateJsonElement),
            "apps/v1/Deployment", new Kind(V1Deployment.class, V1Deployment::validateJsonElement),
            "v1/Service", new Kind(V1Service.class, V1Service::validateJsonElement),
            "policy/v1/PodDisruptionBudget",
                    new Kind(V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement),
            "networking.k8s.io/v1/NetworkPolicy",
                    new Kind(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement));

    @Test
    void eachManifestHasTheFieldsOfItsKind() throws Exception {
        List<Map<String, Object>> all = manifests();
        assertThat(all).hasSizeGreaterThanOrEqualTo(KINDS.size());
        for (Map<String, Object> manifest : all) {
            check(manifest);
        }
    }

    @Test
    void anUnknownFieldIsFound() {
        Map<String, Object> deployment = deployment();
        container(deployment).put("readynessProbe", Map.of());
        assertThatThrownBy(() -> check(deployment)).hasMessageContaining("readynessProbe");
    }

    @Test
    void aMissingFieldIsFound() {
        Map<String, Object> deployment = deployment();
        container(deployment).remove("name");
        assertThatThrownBy(() -> check(deployment)).hasMessageContaining("name");
    }

    /** A frequent mistake: the API refuses a variable whose value is a number without quotes. */
    @Test
    void aNumberInPlaceOfATextIsFound() {
        Map<String, Object> deployment = deployment();
        container(deployment).put("env", List.of(Map.of("name", "MYKIT_DELAY_HTTP_PORT", "value", 6355)));
        assertThatThrownBy(() -> check(deployment)).isInstanceOf(AssertionError.class);
    }

    private static void check(Map<String, Object> manifest) throws IOException {
        Kind kind = KINDS.get(manifest.get("apiVersion") + "/" + manifest.get("kind"));
        assertThat(kind).as("a kind of the API: %s", manifest.get("kind")).isNotNull();
        JsonElement json = new Gson().toJsonTree(manifest);
        kind.fields.check(json);
        // A value that is read and written again is the same only if it had the type of its field.
        JsonElement again = JSON.getGson().toJsonTree(JSON.getGson().fromJson(json, kind.type));
        assertThat(holds(again, json)).as("%s, read as %s", json, again).isTrue();
    }

    /** The client adds empty lists and maps. */
    private static boolean holds(JsonElement all, JsonElement given) {
        if (given.isJsonObject() && all.isJsonObject()) {
            return given.getAsJsonObject().entrySet().stream()
                    .allMatch(field -> all.getAsJsonObject().has(field.getKey())
                            && holds(all.getAsJsonObject().get(field.getKey()), field.getValue()));
        }
        if (given.isJsonArray() && all.isJsonArray()) {
            List<JsonElement> items = given.getAsJsonArray().asList();
            List<JsonElement> others = all.getAsJsonArray().asList();
            return items.size() == others.size()
                    && IntStream.range(0, items.size()).allMatch(i -> holds(others.get(i), items.get(i)));
        }
        return given.equals(all);
    }

    private static List<Map<String, Object>> manifests() {
        return DeployFiles.yaml("kubernetes/mykit-delay.yaml");
    }

    private static Map<String, Object> deployment() {
        return manifests().stream()
                .filter(manifest -> Objects.equals(manifest.get("kind"), "Deployment"))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> container(Map<String, Object> deployment) {
        return map(
                list(at(deployment, "spec", "template", "spec", "containers")).get(0));
    }

    private record Kind(Class<?> type, Fields fields) {}

    private interface Fields {
        void check(JsonElement json) throws IOException;
    }
}
