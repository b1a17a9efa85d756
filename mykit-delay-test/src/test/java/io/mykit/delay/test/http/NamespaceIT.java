package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.MessageView;
import io.mykit.delay.test.client.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Each call of the document with tokens of a namespace, on what is its own and on what is another's, in many spellings. */
@Tag("long")
class NamespaceIT {
    private static final String ADMIN = "admin-token-0123456789";
    private static final ApiDocument DOCUMENT = ApiDocument.inJar();
    private static final List<String> ROLES = List.of("producer", "consumer", "viewer", "operator");
    /** What a token of {@code sh} may say in order to reach {@code shop/20}. */
    private static final List<String> SPELLINGS = List.of(
            "shop/20", "shop%2F20", "..%2Fshop%2F20", "../shop/20", "%2Fshop%2F20", "op%2F20", "SHOP%2F20", "20");
    /** The calls that have no names, and the same answer for everybody. */
    private static final Set<String> SAME = Set.of(
            "/whoami", "/health", "/health/live", "/health/ready", "/openapi.json", "/", "/console", "/console/{path}");

    private static final Set<String> CLOSED = Set.of(
            "/overview",
            "/series",
            "/operations",
            "/operations/stop",
            "/audit",
            "/topics/policy",
            "/topics/change",
            "/config",
            "/metrics",
            "/due",
            "/log",
            "/restore",
            "/reStore",
            "/clearAll",
            "/tokens",
            "/tokens/change",
            "/tokens/delete",
            "/namespaces",
            "/namespaces/change",
            "/namespaces/delete");
    private static final String BODY = "the secret of the shop";

    private static HttpFixture fixture;
    /** By namespace and role. */
    private static final Map<String, String> TOKENS = new LinkedHashMap<>();

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture(
                "namespaces",
                dir,
                Map.of(
                        "http.admin-token",
                        ADMIN,
                        "delivery.topics.kafka",
                        "kafka",
                        "delivery.topics.shop.*",
                        "kafka",
                        "kafka.bootstrap-servers",
                        "127.0.0.1:1"));
        for (String namespace : List.of("shop", "sh")) {
            assertThat(post("/namespaces", "{\"name\":\"" + namespace + "\"}", ADMIN)
                            .status())
                    .isEqualTo(200);
            for (String role : ROLES) {
                String order = "{\"namespace\":\"" + namespace + "\",\"roles\":[\"" + role + "\"]}";
                TOKENS.put(
                        namespace + " " + role,
                        post("/tokens", order, ADMIN).dataObject().getString("token"));
            }
        }
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void noCallOfAnotherNamespaceSeesOrChangesAMessage() {
        push("20", TOKENS.get("shop producer"));
        String before = state();
        for (String operation : DOCUMENT.operations()) {
            String path = operation.replaceFirst("\\w+ ", "");
            for (String role : ROLES) {
                String token = TOKENS.get("sh " + role);
                if (CLOSED.contains(path)) {
                    assertThat(call(operation, path, "{}", token).status())
                            .as("%s as %s", operation, role)
                            .isEqualTo(403);
                } else if (!SAME.contains(path)) {
                    SPELLINGS.forEach(name -> attack(operation, path, name, token, role));
                }
            }
        }
        assertThat(state()).isEqualTo(before);
    }

    private static void attack(String operation, String path, String name, String token, String role) {
        String as = operation + " of " + name + " as " + role;
        boolean read = operation.startsWith("get ");
        String plain = name.replace("%2F", "/");
        String full = path.replace("{id}", name).replace("{topic}", name.replace("20", "orders"));
        for (String body : List.of(
                "{\"jobId\":\"" + plain + "\"}",
                "{\"id\":\"" + plain + "\",\"receipt\":\"x\"}",
                "{\"id\":\"" + plain + "\",\"delay\":0}",
                "{\"topic\":\"" + plain.replace("20", "orders") + "\"}",
                "{\"topic\":\"" + plain.replace("20", "orders") + "\",\"state\":\"all\"}")) {
            boolean pushes = path.startsWith("/push");
            Answer answer = call(operation, full, read || pushes ? "" : body, token);
            assertThat(answer.text()).as(as).doesNotContain(BODY);
            assertThat(answer.status()).as("%s: %s", as, answer.text()).isIn(200, 202, 400, 403, 404, 409, 415);
            if (path.startsWith("/job/") && role.equals("viewer")) {
                assertThat(answer.status()).as(as).isEqualTo(404);
            }
        }
        if (read && !path.contains("{")) {
            // These answers repeat what the caller said.
            String topic = name.replace("20", "orders");
            String named = call(operation, path + "?topic=" + topic, "", token).text()
                    + call(operation, path + "?jobId=" + name, "", token).text();
            assertThat(named).as(as).doesNotContain(BODY);
            if (!name.equals("20")) {
                assertThat(named).as(as).doesNotContain("\"waiting\":1");
            }
            for (String query : List.of("prefix=sho", "idPrefix=shop/")) {
                assertThat(call(operation, path + "?" + query, "", token).text())
                        .as("%s?%s", as, query)
                        .doesNotContain(BODY, "shop/orders", "shop/20");
            }
        }
    }

    @Test
    void aNamespaceFindsItsOwnMessagesByItsOwnNames() {
        push("own", TOKENS.get("shop producer"));
        push("own", TOKENS.get("sh producer"));
        String viewer = TOKENS.get("shop viewer");
        Answer job = call("get /job", "/job/own", "", viewer);
        assertThat(job.status()).isEqualTo(200);
        assertThat(job.text())
                .contains("\"id\":\"own\"", "\"topic\":\"orders\"")
                .doesNotContain("shop/");
        Answer found = call("get /messages", "/messages?topic=orders&limit=500", "", viewer);
        assertThat(found.text()).contains("\"id\":\"own\"").doesNotContain("shop/", "sh/");
        Answer topics = call("get /topics", "/topics", "", viewer);
        assertThat(topics.text()).contains("\"topic\":\"orders\"").doesNotContain("shop/", "sh/");
        assertThat(post("/delete", "{\"jobId\":\"own\"}", TOKENS.get("shop operator"))
                        .status())
                .isEqualTo(200);
        assertThat(call("get /job", "/job/sh/own", "", ADMIN).dataObject().getString("statusName"))
                .isEqualTo("DELAY");
        assertThat(call("get /job", "/job/shop/own", "", ADMIN).dataObject().getString("statusName"))
                .isEqualTo("DELETE");
    }

    /** It makes ids itself, and does not know the namespaces. */
    @Test
    void theJavaClientPushesByFullNamesAndByThoseOfTheNamespace() {
        DelayClient all = client(ADMIN);
        DelayClient own = client(TOKENS.get("shop operator"));
        assertThat(all.whoami().isConfined()).isFalse();
        assertThat(own.whoami().namespace()).isEqualTo("shop");

        String full = all.push(
                Message.builder("shop/orders").delay(Duration.ofHours(1)).build());
        assertThat(full).matches("shop/\\w{20}");
        assertThat(own.find(full.substring(5)))
                .get()
                .extracting(MessageView::topic)
                .isEqualTo("orders");
        String id =
                own.push(Message.builder("orders").delay(Duration.ofHours(1)).build());
        assertThat(id).matches("\\w{20}");
        assertThat(all.find("shop/" + id)).get().extracting(MessageView::topic).isEqualTo("shop/orders");
    }

    /** The topic shop/orders is shop.orders on Kafka. */
    @Test
    void aTopicOutsideDoesNotHaveTheNameOfOneInsideAtItsBroker() {
        Answer refused = post("/push", "{\"topic\":\"shop.orders\",\"delay\":600000}", ADMIN);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().getString("message"))
                .isEqualTo("topic shop.orders would be shop.orders at its broker (channel kafka), which is a name of"
                        + " topics in a namespace; choose another topic");
        assertThat(post("/push", "{\"topic\":\"kafka\",\"delay\":600000}", ADMIN)
                        .status())
                .isEqualTo(200);
    }

    private static DelayClient client(String token) {
        return DelayClient.builder()
                .endpoint(fixture.server().url())
                .token(token)
                .build();
    }

    @Test
    void aNamespaceBeginsEmptyAndEndsWithoutUnfinishedMessages() {
        post("/push", "{\"id\":\"old\",\"topic\":\"late/orders\",\"delay\":600000}", ADMIN);
        Answer taken = post("/namespaces", "{\"name\":\"late\"}", ADMIN);
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.error()).isEqualTo("ID_CONFLICT");
        assertThat(post("/namespaces", "{\"name\":\"shop\"}", ADMIN).status()).isEqualTo(409);
        assertThat(post("/namespaces", "{\"name\":\"a/b\"}", ADMIN).status()).isEqualTo(400);
        assertThat(post("/namespaces", "{\"name\":\"short\"}", ADMIN).status()).isEqualTo(200);
        post("/push", "{\"topic\":\"short/t\",\"delay\":600000}", ADMIN);
        assertThat(post("/namespaces/delete", "{\"name\":\"short\"}", ADMIN).status())
                .isEqualTo(409);
        assertThat(post("/namespaces/delete", "{\"name\":\"unknown\"}", ADMIN).status())
                .isEqualTo(404);
    }

    private static String state() {
        return call("get /job", "/job/shop/20", "", ADMIN).text();
    }

    private static void push(String id, String token) {
        String message = "{\"id\":\"" + id + "\",\"topic\":\"orders\",\"body\":\"" + BODY + "\",\"delay\":1800000}";
        Answer answer = post("/push", message, token);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json().getString("data")).isEqualTo(id);
    }

    private static Answer post(String path, String body, String token) {
        return call("post " + path, path, body, token);
    }

    private static Answer call(String operation, String path, String body, String token) {
        String method = operation.replaceFirst(" .*", "").toUpperCase(Locale.ROOT);
        return fixture.http()
                .send(
                        method,
                        path,
                        body.getBytes(UTF_8),
                        "content-type",
                        "application/json",
                        "authorization",
                        "Bearer " + token);
    }
}
