package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.WebElement;

/** The pages of administrators, and what the console is for a token of a namespace. */
@Tag("long")
class ConsoleTeamsIT extends ConsoleFixture {
    private static final String ADMIN = "admin-token-of-the-test";
    private static final String FOREIGN = "harbour";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Override
    Map<String, String> settings() {
        return Map.of("http.admin-token", ADMIN);
    }

    /** Another team has a message: its name, its topic or its id on a page would be a hint. */
    @Override
    void fill() {
        post("namespaces", Map.of("name", "shop", "description", "the shop"));
        post("namespaces", Map.of("name", FOREIGN));
        // Without a token for producers, a caller without one may push, and the page does not ask for a token at once.
        post("tokens", Map.of("namespace", FOREIGN, "roles", List.of("producer")));
        post("push", Map.of("topic", FOREIGN + "/boats", "id", FOREIGN + "/7", "delay", HOUR_MS));
    }

    @BeforeEach
    void forget() {
        console.load("", "overview");
        browser.script("sessionStorage.clear(); localStorage.setItem('mykit-delay.language', 'en')");
    }

    private void logIn(String token, String fragment) {
        console.load("", fragment);
        console.type("token", token);
        console.click("log-in");
    }

    @Test
    void anAdministratorMakesANamespaceAndATokenThatIsShownOnce() {
        logIn(ADMIN, "namespaces");
        console.click("make");
        console.type("namespace-name", "desk");
        console.type("namespace-description", "the help desk");
        assertThat(console.confirm()).contains("The namespace desk is there.");
        console.awaitText("namespace-list", "desk", "the help desk", "operator");

        console.clickOn("tr[data-key='desk'] [data-test='to-tokens']");
        console.awaitPage("tokens");
        console.click("make");
        console.find("role-producer");
        assertThat(console.shows("role-admin"))
                .as("administrators are of no namespace")
                .isFalse();
        console.click("role-producer");
        console.click("role-consumer");
        console.type("token-description", "tickets");
        console.type("expires-in", "90d");
        console.click("go");
        String token = Console.patiently().until(() -> console.text("new-token"), text -> !text.isEmpty());
        assertThat(token).startsWith("mykd_").hasSize(50);
        console.click("keep");
        console.awaitText("token-list", token.substring(5, 17), "desk", "producer, consumer", "tickets", "valid");
        assertThat(browser.driver().getPageSource()).doesNotContain(token.substring(18));
        assertThat(whoami(token).getString("namespace")).isEqualTo("desk");
        browser.assertNoProblems();
    }

    @Test
    void anAdministratorGivesANamespaceLimitsAndTakesOneBack() {
        logIn(ADMIN, "namespaces");
        console.click("make");
        console.type("namespace-name", "mill");
        console.type("pushRate", "many");
        console.click("go");
        console.awaitText("answer", "pushRate must be an integer");
        browser.forgetProblems();
        console.type("pushRate", "1500");
        console.type("maxDelay", "30d");
        console.type("maxBody", "65536");
        console.type("maxTopics", "100");
        assertThat(console.confirm()).contains("The namespace mill is there.");
        awaitCell("mill", "limits", "push rate 1,500/s, longest delay 30 d, largest body 64 KiB, topics 100");
        awaitCell("shop", "limits", "–");
        assertThat(namespace("mill"))
                .containsEntry("pushRate", 1500)
                .containsEntry("pullRate", null)
                .containsEntry("maxDelay", 2_592_000_000L)
                .containsEntry("maxBody", 65_536)
                .containsEntry("maxTopics", 100);

        console.clickOn("tr[data-key='mill'] [data-test='change']");
        assertThat(console.find("maxDelay").getDomProperty("value")).isEqualTo("30d");
        console.type("maxTopics", "100001");
        console.click("go");
        console.awaitText("answer", "maxTopics must be between 0 and 100000");
        browser.forgetProblems();
        console.type("maxTopics", "100");
        console.type("pullRate", "200");
        console.type("maxDelay", "36h");
        console.type("maxBody", "");
        // The form sends what was edited alone.
        post("namespaces/change", Map.of("name", "mill", "pushRate", 7, "description", "flour"));
        assertThat(console.confirm()).startsWith("Changed.");
        awaitCell("mill", "limits", "push rate 7/s, pull rate 200/s, longest delay 1 d 12 h, topics 100");
        assertThat(namespace("mill"))
                .containsEntry("description", "flour")
                .containsEntry("pushRate", 7)
                .containsEntry("pullRate", 200)
                .containsEntry("maxDelay", 129_600_000)
                .containsEntry("maxBody", null)
                .containsEntry("maxTopics", 100);
        browser.assertNoProblems();
    }

    /** Nothing is known of namespaces yet, and a token of the whole queue is not what the page is about. */
    @Test
    void aTokenIsOfTheNamespaceOfThePageFromTheFirstMoment() {
        logIn(ADMIN, "namespaces");
        console.awaitText("namespace-list", "shop");
        browser.script("const before = fetch; window.fetch = (url, options) =>"
                + " String(url).endsWith('/namespaces') ? new Promise(() => {}) : before(url, options)");
        console.go("tokens?namespace=shop");
        console.awaitPage("tokens");
        console.click("make");
        assertThat(console.find("token-namespace").getDomProperty("value")).isEqualTo("shop");
        assertThat(console.find("of-namespace").getDomProperty("value")).isEqualTo("shop");
        assertThat(console.shows("role-admin")).isFalse();
        console.click("role-producer");
        console.click("go");
        String token = Console.patiently().until(() -> console.text("new-token"), text -> !text.isEmpty());
        assertThat(whoami(token).getString("namespace")).isEqualTo("shop");
    }

    @Test
    void aTokenHasRates() {
        logIn(ADMIN, "tokens?namespace=shop");
        console.click("make");
        console.click("role-consumer");
        console.type("pushRate", "1000001");
        console.click("go");
        console.awaitText("answer", "pushRate must be between 0 and 1000000");
        browser.forgetProblems();
        console.type("pushRate", "50");
        console.type("pullRate", "200");
        console.click("go");
        String token = Console.patiently().until(() -> console.text("new-token"), text -> !text.isEmpty());
        console.click("keep");
        String id = token.substring(5, 17);
        awaitCell(id, "limits", "push rate 50/s, pull rate 200/s");
        assertThat(whoami(token).getJSONObject("limits"))
                .containsEntry("pushRate", 50)
                .containsEntry("pullRate", 200);

        console.clickOn("tr[data-key='" + id + "'] [data-test='change']");
        assertThat(console.find("pullRate").getDomProperty("value")).isEqualTo("200");
        console.type("pushRate", "");
        console.type("pullRate", "20");
        assertThat(console.confirm()).startsWith("Changed.");
        awaitCell(id, "limits", "pull rate 20/s");
        assertThat(whoami(token).getJSONArray("roles")).containsExactly("consumer");
        assertThat(whoami(token).getJSONObject("limits"))
                .containsEntry("pushRate", null)
                .containsEntry("pullRate", 20);
        browser.assertNoProblems();
    }

    @Test
    void aTokenIsChangedDisabledAndDeleted() {
        JSONObject made = post("tokens", Map.of("namespace", "*", "roles", List.of("viewer"), "description", "wall"));
        String row = "tr[data-key='" + made.getString("tokenId") + "'] ";
        logIn(ADMIN, "tokens?namespace=*");
        console.clickOn(row + "[data-test='change']");
        console.click("role-producer");
        console.type("token-description", "wall and door");
        assertThat(console.confirm()).startsWith("Changed.");
        console.awaitText("token-list", "producer, viewer", "wall and door");
        assertThat(whoami(made.getString("token")).getJSONArray("roles")).containsExactly("producer", "viewer");

        console.clickOn(row + "[data-test='switch']");
        assertThat(console.confirm()).startsWith("Changed.");
        console.awaitText("token-list", "disabled");
        assertThat(call("whoami", null, made.getString("token")).statusCode()).isEqualTo(401);

        console.clickOn(row + "[data-test='delete']");
        assertThat(console.confirm()).startsWith("Deleted.");
        Console.patiently().until(() -> console.all(row).isEmpty());
        browser.assertNoProblems();
    }

    @Test
    void anAdministratorGivesATopicAChannelAndMetricsAndAnOperatorDoesNot() {
        logIn(ADMIN, "topics?topic=" + FOREIGN + "%2Fboats");
        console.click("policy-open");
        console.awaitText("policy-list", "channel", "delivery.default-channel", "metrics", "false");
        console.choose("policy-name", "channel");
        console.type("policy-value", "pull");
        console.click("policy-set");
        console.awaitText("policy-answer", "channel is set on all nodes");
        console.awaitText("policy-list", "pull", "operator");
        console.choose("policy-name", "metrics");
        console.type("policy-value", "true");
        console.click("policy-set");
        console.awaitText("policy-list", "true");
        console.click("give-back-metrics");
        console.awaitText("policy-answer", "The configuration decides metrics again");

        String token = post("tokens", Map.of("namespace", "*", "roles", List.of("operator")))
                .getString("token");
        forget();
        logIn(token, "topics?topic=" + FOREIGN + "%2Fboats");
        console.click("policy-open");
        console.awaitText("policy-list", "pull", "operator");
        assertThat(console.all("[data-test='give-back-channel']")).isEmpty();
        assertThat(console.text("policy-name")).contains("rate").doesNotContain("channel");
        browser.assertNoProblems();
    }

    @Test
    void aRefusalOfTheServerNamesTheField() {
        logIn(ADMIN, "namespaces");
        console.click("make");
        console.type("namespace-name", "a/b");
        console.click("go");
        console.awaitText("answer", "name must be 1 to 64 letters, digits, _ and -");
        browser.forgetProblems();
    }

    /** No call of the page is refused, so no page asks for what is closed to the token. */
    @Test
    void aTokenOfANamespaceSeesItsOwnPagesAndNoHintAtOthers() {
        String token = post("tokens", Map.of("namespace", "shop", "roles", List.of("operator")))
                .getString("token");
        logIn(token, "");
        console.awaitPage("topics");
        console.awaitText("namespace", "of shop");
        assertThat(console.all("nav a[data-test]"))
                .extracting(link -> link.getDomAttribute("data-test"))
                .containsExactly("nav-topics", "nav-messages", "nav-dead", "nav-try", "nav-api");

        console.go("try?topic=orders");
        console.type("push-id", "own-1");
        console.type("push-delay", "45m");
        console.click("push");
        console.awaitText("pushed", "own-1");
        console.clickOn("[data-test='pushed'] a");
        console.find("timeline");
        foreignIsNotShown();
        for (String[] page : new String[][] {
            {"topics", "topic-list"},
            {"topics?topic=orders", "first-waiting"},
            {"messages?topic=orders", "message-list"},
            {"dead", "empty"}
        }) {
            console.go(page[0]);
            awaitShown(page[0], page[1]);
            foreignIsNotShown();
        }
        console.go("messages?id=" + FOREIGN + "%2F7");
        console.find("unknown-id");
        assertThat(browser.problems())
                .as("the browser logs the status, and no call is refused")
                .allMatch(problem -> problem.contains("404"));
        for (String closed : List.of("overview", "operations", "audit", "namespaces", "tokens")) {
            console.go(closed);
            Console.patiently()
                    .untilAsserted(() ->
                            assertThat(console.findBy("main h1").getText()).isEqualTo("No such page"));
        }

        console.go("topics?topic=orders");
        console.click("clear");
        console.choose("clear-state", "all");
        console.click("count");
        console.awaitText("counted", "1 message would be cancelled.");
        console.type("typed", "orders");
        assertThat(console.confirm()).startsWith("1 message cancelled");
        browser.assertNoProblems();
    }

    /** A list may be some seconds old, and does not refresh by itself. Each question ends the one before. */
    private void awaitShown(String page, String element) {
        Console.patiently().pollInterval(Duration.ofSeconds(1)).alias(page).until(() -> {
            if (!console.shows(element) && console.shows("reload")) {
                console.click("reload");
            }
            return console.shows(element);
        });
    }

    private void foreignIsNotShown() {
        assertThat(browser.driver().getPageSource()).doesNotContain(FOREIGN);
    }

    @Test
    void thePagesOfAdministratorsHaveNoSeriousFinding() {
        post("namespaces", JSON.parseObject("""
                {"name": "full", "description": "a team with all limits",
                 "pushRate": 1500, "pullRate": 20000, "maxDelay": "30d", "maxBody": 65536, "maxTopics": 100}"""));
        post("tokens", JSON.parseObject("""
                {"namespace": "full", "description": "a token with limits", "roles": ["producer", "consumer"],
                 "pushRate": 1500, "pullRate": 20000}"""));
        Axe.begin(browser);
        try {
            logIn(ADMIN, "namespaces");
            console.find("namespace-list");
            assertThat(Axe.findings(browser)).isEmpty();
            console.click("make");
            console.find("maxTopics");
            assertThat(Axe.findings(browser)).isEmpty();
            fitsOnAPhone();
            post("tokens", Map.of("namespace", FOREIGN, "roles", List.of("viewer")));
            console.go("tokens");
            console.find("token-list");
            assertThat(Axe.findings(browser)).isEmpty();
            console.click("make");
            console.find("role-admin");
            assertThat(Axe.findings(browser)).isEmpty();
            fitsOnAPhone();
        } finally {
            Axe.end(browser);
            browser.size(Browser.WIDE, 800);
        }
    }

    /** Neither the open form nor the list behind it is wider than the window. */
    private void fitsOnAPhone() {
        browser.size(Browser.PHONE, 800);
        assertThat(browser.script(
                        "const form = document.querySelector('dialog'); return form.scrollWidth - form.clientWidth"))
                .isEqualTo(0L);
        console.click("keep");
        assertThat(console.tooWide()).isEmpty();
        browser.size(Browser.WIDE, 800);
    }

    private void awaitCell(String row, String column, String text) {
        Console.patiently().untilAsserted(() -> assertThat(
                        console.all("tr[data-key='" + row + "'] td[data-label='" + column + "']"))
                .extracting(WebElement::getText)
                .containsExactly(text));
    }

    private JSONObject namespace(String name) {
        return JSON.parseObject(call("namespaces", null, ADMIN).body()).getJSONArray("data").stream()
                .map(JSONObject.class::cast)
                .filter(each -> each.getString("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private JSONObject whoami(String token) {
        return JSON.parseObject(call("whoami", null, token).body()).getJSONObject("data");
    }

    /** An administrator's call; returns its data, if they are an object. */
    private JSONObject post(String path, Map<String, ?> body) {
        HttpResponse<String> answer = call(path, JSON.toJSONString(body), ADMIN);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.parseObject(answer.body()).get("data") instanceof JSONObject data ? data : null;
    }

    private HttpResponse<String> call(String path, String json, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + "/" + path))
                .header("Authorization", "Bearer " + token);
        if (json != null) {
            request.header("content-type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        return HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join();
    }
}
