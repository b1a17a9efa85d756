package io.mykit.delay.controller;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.Access;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.openapi.Document;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.route.Route;
import io.vertx.core.http.HttpMethod;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The OpenAPI document says what the code does: routes, methods, callers, fields, statuses, error words. */
class OpenApiTest {
    private static final Document DOCUMENT = new Document();
    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{(\\w+)}");
    /** An order of several settlements, whose items have the fields. */
    private static final String ITEMS = "items";

    /** The roles of the document for each access. */
    private static final Map<String, Set<String>> ROLES = Map.ofEntries(
            Map.entry("PROBES", Set.of()),
            Map.entry("EVERYBODY", Set.of()),
            Map.entry("LOGIN", Set.of()),
            Map.entry("PRODUCERS", Set.of("producer")),
            Map.entry("CONSUMERS", Set.of("consumer")),
            Map.entry("PRODUCERS_AND_VIEWERS", Set.of("producer", "consumer", "viewer")),
            Map.entry("VIEWERS", Set.of("viewer")),
            Map.entry("KNOWN_BY_KEY", Set.of("producer", "consumer", "viewer")),
            Map.entry("SCRAPES", Set.of("viewer")),
            Map.entry("OPERATORS", Set.of("operator")),
            Map.entry("ADMINS", Set.of("admin")));

    static List<Route> routes() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        DelayHttpServer server = new DelayHttpServer(TestConfig.open(), new StubBackend("off").backend(), registry);
        List<Route> routes = server.routes(
                TestConfig.open(),
                new StubBackend("off").backend(),
                new Audit(InstantSource.system(), StubAudit.trail(), call -> {}));
        server.close();
        return routes;
    }

    @Test
    void hasTheRoutesOfTheServerAndNoOther() {
        Set<String> served = new TreeSet<>();
        routes().forEach(route -> methods(route).forEach(method -> served.add(method + " " + path(route))));
        Set<String> documented = new TreeSet<>();
        DOCUMENT.paths().forEach((path, item) -> ((JSONObject) item)
                .keySet().stream()
                        .filter(key -> !key.equals("parameters"))
                        .forEach(method -> documented.add(method + " " + path)));
        assertThat(documented).isEqualTo(served);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void namesTheCallers(Route route) {
        for (String method : methods(route)) {
            JSONArray security = operation(route, method).getJSONArray("security");
            Set<String> roles = new TreeSet<>();
            boolean open = security.isEmpty();
            for (JSONObject alternative : security.toList(JSONObject.class)) {
                open |= alternative.isEmpty();
                if (!alternative.isEmpty()) {
                    roles.addAll(alternative.getJSONArray("bearer").toList(String.class));
                }
            }
            assertThat(roles).isEqualTo(ROLES.get(route.access().name()));
            assertThat(open).as("open as long as there is no token").isEqualTo(route.access() != Access.ADMINS);
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void namesTheFields(Route route) {
        for (String method : methods(route)) {
            JSONObject operation = operation(route, method);
            List<String> names = route.parameters().names();
            assertThat(fields(route, method)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(operation.getList("x-fields-in", String.class))
                    .isEqualTo(names.isEmpty() ? null : places(route));
            Set<String> inPath = PATH_PARAMETER
                    .matcher(path(route))
                    .results()
                    .map(match -> match.group(1))
                    .collect(toCollection(TreeSet::new));
            assertThat(parameters(route, method, "path")).isEqualTo(inPath);
        }
    }

    @Test
    void hasEachErrorWordWithItsStatus() {
        Map<String, Object> examples = DOCUMENT.components("examples");
        List<String> words =
                Arrays.stream(ErrorCode.values()).map(ErrorCode::name).toList();
        assertThat(DOCUMENT.components("schemas").getJSONObject("ErrorWord").getList("enum", String.class))
                .isEqualTo(words);
        for (ErrorCode word : ErrorCode.values()) {
            JSONObject failure = ((JSONObject) examples.get(word.name())).getJSONObject("value");
            assertThat(failure.getString("error")).isEqualTo(word.name());
            assertThat(failure.getIntValue("code")).isEqualTo(ErrorMapper.status(word));
        }
    }

    @Test
    void hasEachErrorWordUnderItsStatus() {
        Set<String> used = new TreeSet<>();
        for (Route route : routes()) {
            for (String method : methods(route)) {
                JSONObject responses = operation(route, method).getJSONObject("responses");
                responses.forEach((status, response) -> {
                    if (status.matches("[23]..")) {
                        return;
                    }
                    for (JSONObject failure : failures((JSONObject) response)) {
                        used.add(failure.getString("error"));
                        if (!status.equals("default")) {
                            assertThat(failure.getString("code"))
                                    .as(path(route))
                                    .isEqualTo(status);
                        }
                    }
                });
            }
        }
        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::name).toList());
    }

    /** So a program can look an error word up under the answer. */
    @Test
    void theNameOfAnExampleIsItsErrorWord() {
        DOCUMENT.components("responses").forEach((name, response) -> {
            JSONObject content = ((JSONObject) response).getJSONObject("content");
            content.getJSONObject("application/json").getJSONObject("examples").forEach((word, example) -> assertThat(
                            DOCUMENT.resolved((JSONObject) example)
                                    .getJSONObject("value")
                                    .getString("error"))
                    .as(name)
                    .isEqualTo(word));
        });
    }

    /** A generator for TypeScript requires fields that have a default, because an answer always has them. */
    @Test
    void noFieldOfARequestHasADefault() {
        for (Route route : routes()) {
            for (String method : methods(route)) {
                JSONObject body = operation(route, method).getJSONObject("requestBody");
                if (body != null) {
                    JSONObject schema = body.getJSONObject("content")
                            .getJSONObject("application/json")
                            .getJSONObject("schema");
                    JSONObject object =
                            DOCUMENT.resolved(schema.containsKey("items") ? schema.getJSONObject("items") : schema);
                    object.getJSONObject("properties").forEach((name, field) -> assertThat((JSONObject) field)
                            .as(path(route) + " " + name)
                            .doesNotContainKey("default"));
                }
            }
        }
    }

    @Test
    void isServedWithAStrongTag() {
        try (TestServer server = new TestServer(TestConfig.tokens("admin", "producer"))) {
            TestServer.Answer answer = server.get("/openapi.json?_=1");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("content-type")).isEqualTo("application/json; charset=utf-8");
            assertThat(answer.header("etag")).matches("\"[0-9a-f]{32}\"");
            assertThat(answer.header("cache-control")).isEqualTo("no-cache");
            assertThat(answer.response().body()).startsWith("{\n  \"openapi\": \"3.1.0\"");
            TestServer.Answer known = server.send(server.request("/openapi.json")
                    .header("If-None-Match", "\"other\", W/" + answer.header("etag"))
                    .GET());
            assertThat(known.status()).isEqualTo(304);
            assertThat(known.response().body()).isEmpty();
            assertThat(known.header("etag")).isEqualTo(answer.header("etag"));
        }
    }

    private static JSONObject operation(Route route, String method) {
        return DOCUMENT.operation(path(route), method)
                .orElseThrow(() -> new AssertionError(method + " " + path(route)));
    }

    private static List<JSONObject> failures(JSONObject response) {
        return DOCUMENT
                .resolved(response)
                .getJSONObject("content")
                .getJSONObject("application/json")
                .getJSONObject("examples")
                .values()
                .stream()
                .map(example -> DOCUMENT.resolved((JSONObject) example).getJSONObject("value"))
                .toList();
    }

    /** The names that the document knows beside those of the path. */
    private static Set<String> fields(Route route, String method) {
        Set<String> names = parameters(route, method, "query");
        JSONObject operation = operation(route, method);
        addAliases(operation, names);
        DOCUMENT.parameters(path(route), method).forEach(parameter -> addAliases(parameter, names));
        JSONObject body = operation.getJSONObject("requestBody");
        if (body != null && operation.containsKey("x-fields-in")) {
            names.addAll(properties(body, "application/json"));
            names.remove(ITEMS);
            assertThat(names).containsAll(properties(body, "application/x-www-form-urlencoded"));
        }
        return names;
    }

    private static Set<String> properties(JSONObject body, String type) {
        JSONObject schema = body.getJSONObject("content").getJSONObject(type).getJSONObject("schema");
        return DOCUMENT.resolved(schema).getJSONObject("properties").keySet();
    }

    private static void addAliases(JSONObject place, Set<String> names) {
        List<String> aliases = place.getList("x-aliases", String.class);
        if (aliases != null) {
            names.addAll(aliases);
        }
    }

    private static Set<String> parameters(Route route, String method, String place) {
        return DOCUMENT.parameters(path(route), method).stream()
                .filter(parameter -> parameter.getString("in").equals(place))
                .map(parameter -> parameter.getString("name"))
                .collect(toCollection(TreeSet::new));
    }

    private static List<String> places(Route route) {
        Object place = route.parameters().place();
        return Arrays.stream(place.toString().toLowerCase(Locale.ROOT).split("_or_|_"))
                .toList();
    }

    /** The methods but HEAD, which is the GET without its body. */
    private static List<String> methods(Route route) {
        return route.methods().stream()
                .filter(method -> !method.equals(HttpMethod.HEAD))
                .map(method -> method.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String path(Route route) {
        return route.pattern().replace("...}", "}");
    }
}
