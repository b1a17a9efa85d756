package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The OpenAPI document is one by the rules of OpenAPI 3.1. The schema of such documents is published by the OpenAPI Initiative under the
 * Apache License 2.0.
 */
class OpenApiSchemaTest {
    private static final String RULES = "https://spec.openapis.org/oas/3.1/schema/2022-10-07";
    private static final String SCHEMA_RULES = "https://json-schema.org/draft/2020-12/schema";
    private static final Pattern REFERENCE = Pattern.compile("\"#(/components/[^\"]+)\"");
    private static final ApiDocument DOCUMENT = ApiDocument.inJar();

    private final SchemaRegistry rules = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemas(Map.of(RULES, ApiDocument.resource("/openapi/schema-2022-10-07.json"))));

    static List<ApiDocument.Example> examples() {
        return DOCUMENT.examples();
    }

    @Test
    void isAnOpenApiDocument() {
        assertThat(faults(RULES, DOCUMENT.text())).isEmpty();
        // The rules see a fault.
        assertThat(faults(RULES, DOCUMENT.text().replaceFirst("\"openapi\"", "\"opanapi\"")))
                .isNotEmpty();
    }

    @Test
    void itsSchemasAreSchemas() {
        DOCUMENT.components("schemas")
                .forEach((name, schema) -> assertThat(faults(SCHEMA_RULES, JSON.toJSONString(schema)))
                        .as(name)
                        .isEmpty());
    }

    @Test
    void itsReferencesLeadSomewhereAndAllPartsAreReferredTo() {
        List<String> references = REFERENCE
                .matcher(DOCUMENT.text())
                .results()
                .map(match -> match.group(1))
                .toList();
        for (String kind : List.of("schemas", "responses", "examples")) {
            assertThat(DOCUMENT.components(kind).keySet())
                    .allSatisfy(name -> assertThat(references).contains("/components/" + kind + "/" + name));
        }
        assertThat(references).allSatisfy(reference -> {
            String[] parts = reference.split("/", -1);
            assertThat(DOCUMENT.components(parts[2])).containsKey(parts[3]);
        });
    }

    @Test
    void operationsHaveNamesOfTheirOwn() {
        assertThat(DOCUMENT.operations().stream()
                        .map(operation -> DOCUMENT.operation(operation).getString("operationId")))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z][A-Za-z]+"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleFitsItsSchema(ApiDocument.Example example) {
        assertThat(DOCUMENT.faults(
                        example.schema(), JSON.toJSONString(example.value(), JSONWriter.Feature.WriteMapNullValue)))
                .isEmpty();
    }

    private List<String> faults(String schema, String value) {
        return rules.getSchema(SchemaLocation.of(schema)).validate(value, InputFormat.JSON).stream()
                .map(Error::toString)
                .toList();
    }
}
