package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The OpenAPI document of the server, and the schemas in it. Objects of the schemas are closed here: a field that the document does not
 * name is a fault. Immutable.
 */
final class ApiDocument {
    private static final String FILE = "/io/mykit/delay/controller/openapi/openapi.json";
    private static final String ADDRESS = "https://example.org/openapi.json";
    private static final Set<String> METHODS = Set.of("get", "post", "delete");
    private static final String JSON_TYPE = "application/json";
    private static final String REF = "$ref";

    private final String text;
    private final JSONObject json;
    private final SchemaRegistry schemas;

    private ApiDocument(String text) {
        this.text = text;
        this.json = JSON.parseObject(text);
        JSONObject closed = JSON.parseObject(text);
        closed.getJSONObject("components").getJSONObject("schemas").values().forEach(ApiDocument::close);
        this.schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(ADDRESS, closed.toJSONString())));
    }

    /** The document in the jar of the controller. */
    static ApiDocument inJar() {
        return new ApiDocument(resource(FILE));
    }

    /** The document as a server answered it. */
    static ApiDocument of(String text) {
        return new ApiDocument(text);
    }

    static String resource(String name) {
        try (InputStream in = ApiDocument.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return text;
    }

    String version() {
        return json.getJSONObject("info").getString("version");
    }

    JSONObject components(String kind) {
        return json.getJSONObject("components").getJSONObject(kind);
    }

    /** Methods and paths, such as {@code get /job/{id}}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        json.getJSONObject("paths").forEach((path, item) -> ((JSONObject) item)
                .keySet().stream().filter(METHODS::contains).forEach(method -> operations.add(method + " " + path)));
        return operations;
    }

    /** @param operation as {@link #operations} returns it */
    JSONObject operation(String operation) {
        String[] parts = operation.split(" ", 2);
        return json.getJSONObject("paths").getJSONObject(parts[1]).getJSONObject(parts[0]);
    }

    /** The answer of an operation with this status; null = the document has no such answer but the default. */
    JSONObject response(String operation, String status) {
        JSONObject response = operation(operation).getJSONObject("responses").getJSONObject(status);
        return response == null ? null : resolved(response);
    }

    /** The schema of an answer in JSON; null = the answer is no JSON, or any object. */
    String schemaOf(JSONObject response) {
        JSONObject types = response.getJSONObject("content");
        JSONObject content = types == null ? null : types.getJSONObject(JSON_TYPE);
        return content == null ? null : content.getJSONObject("schema").getString(REF);
    }

    /** The error words of an answer. */
    List<String> words(JSONObject response) {
        JSONObject examples =
                response.getJSONObject("content").getJSONObject(JSON_TYPE).getJSONObject("examples");
        return examples.values().stream()
                .map(example ->
                        resolved((JSONObject) example).getJSONObject("value").getString("error"))
                .toList();
    }

    /**
     * The faults of a JSON text.
     *
     * @param schema a reference inside the document, such as {@code #/components/schemas/Job}
     */
    List<String> faults(String schema, String value) {
        return schemas.getSchema(SchemaLocation.of(ADDRESS + schema)).validate(value, InputFormat.JSON).stream()
                .map(Error::toString)
                .toList();
    }

    JSONObject resolved(JSONObject object) {
        String ref = object.getString(REF);
        if (ref == null) {
            return object;
        }
        JSONObject at = json;
        for (String name : ref.substring(2).split("/", -1)) {
            at = at.getJSONObject(name);
        }
        return at;
    }

    /** The examples with references to their schemas. */
    List<Example> examples() {
        List<Example> examples = new ArrayList<>();
        for (String operation : operations()) {
            JSONObject call = operation(operation);
            JSONObject body = call.getJSONObject("requestBody");
            if (body != null) {
                addExamples(operation, body, examples);
            }
            JSONObject good = call.getJSONObject("responses").getJSONObject("200");
            if (good != null) {
                addExamples(operation, good, examples);
            }
        }
        components("examples")
                .forEach((name, example) -> examples.add(
                        new Example(name, "#/components/schemas/Failure", ((JSONObject) example).get("value"))));
        return examples;
    }

    private static void addExamples(String name, JSONObject place, List<Example> examples) {
        JSONObject content = place.getJSONObject("content").getJSONObject(JSON_TYPE);
        String schema = content == null ? null : content.getJSONObject("schema").getString(REF);
        if (schema == null) {
            return;
        }
        if (content.containsKey("example")) {
            examples.add(new Example(name, schema, content.get("example")));
        }
        if (content.containsKey("examples")) {
            content.getJSONObject("examples")
                    .values()
                    .forEach(example -> examples.add(new Example(name, schema, ((JSONObject) example).get("value"))));
        }
    }

    private static void close(Object schema) {
        if (schema instanceof JSONArray several) {
            several.forEach(ApiDocument::close);
        } else if (schema instanceof JSONObject object) {
            object.values().forEach(ApiDocument::close);
            if (object.get("properties") instanceof JSONObject && !object.containsKey("additionalProperties")) {
                object.put("additionalProperties", false);
            }
        }
    }

    /**
     * @param schema a reference inside the document
     */
    record Example(String name, String schema, Object value) {
        @Override
        public String toString() {
            return name + " " + schema;
        }
    }
}
