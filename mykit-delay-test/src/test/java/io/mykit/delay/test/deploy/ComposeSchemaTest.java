package io.mykit.delay.test.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The Compose file has the fields and types of the Compose Specification. Its schema (commit 170098b of compose-spec/compose-spec) is
 * published under the Apache License 2.0.
 */
class ComposeSchemaTest {
    private static final String ADDRESS = "https://example.org/compose_spec.json";

    private final SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_7, builder -> builder.schemas(Map.of(ADDRESS, specification())));

    @Test
    void theFileFollowsTheSpecification() {
        assertThat(faults(DeployFiles.yaml("compose.yml").get(0))).isEmpty();
    }

    @Test
    void anUnknownFieldIsFound() {
        Map<String, Object> file = DeployFiles.yaml("compose.yml").get(0);
        DeployFiles.map(DeployFiles.at(file, "services", "redis")).put("mem_limits", "1g");
        assertThat(faults(file)).anySatisfy(fault -> assertThat(fault).contains("mem_limits"));
    }

    @Test
    void aValueOfAnotherTypeIsFound() {
        Map<String, Object> file = DeployFiles.yaml("compose.yml").get(0);
        DeployFiles.map(DeployFiles.at(file, "services", "redis")).put("image", 7);
        assertThat(faults(file)).isNotEmpty();
    }

    private List<String> faults(Map<String, Object> file) {
        return schemas
                .getSchema(SchemaLocation.of(ADDRESS))
                .validate(new Gson().toJson(file), InputFormat.JSON)
                .stream()
                .map(Error::toString)
                .toList();
    }

    private static String specification() {
        try (InputStream in = ComposeSchemaTest.class.getResourceAsStream("/compose/compose-spec.json")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
