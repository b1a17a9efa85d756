package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console of a server with tokens: the login, what a viewer sees, and what becomes of the token. */
@Tag("long")
class ConsoleLoginIT extends ConsoleFixture {
    private static final String ADMIN = "admin-token-of-the-test";
    private static final String VIEWER = "viewer-token-of-the-test";
    private static final String PRODUCER = "producer-token-of-the-test";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Override
    Map<String, String> settings() {
        return Map.of("http.admin-token", ADMIN, "http.viewer-token", VIEWER, "http.producer-token", PRODUCER);
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
    void withoutATokenNothingButTheLoginIsShown() {
        console.load("", "messages?id=secret");
        console.find("login");
        assertThat(console.all("nav")).isEmpty();
        browser.screenshot("login");
    }

    @Test
    void aWrongTokenIsRefusedAndForgotten() {
        logIn("wrong-token", "overview");
        console.awaitText("login-error", "The token is missing or not known.");
        assertThat(stored()).isEmpty();
        browser.forgetProblems();
    }

    @Test
    void aRefusalIsChineseAndTheSentenceOfTheServerStandsBehindDetails() {
        browser.script("localStorage.setItem('mykit-delay.language', 'zh')");
        browser.driver().navigate().refresh();
        console.type("token", "wrong-token");
        console.click("log-in");
        console.awaitText("login-error", "令牌缺失或无效。");
        assertThat(isSentenceOpen()).isEqualTo(false);
        console.click("error-details");
        console.awaitText("login-error", "the token is not known");
        assertThat(isSentenceOpen()).isEqualTo(true);
        browser.forgetProblems();
    }

    /** The browser refuses to send it, which looked like a server that is down. */
    @Test
    void aTokenThatIsNotAsciiIsRefusedBeforeItIsSent() {
        logIn("我的令牌", "overview");
        console.awaitText("login-error", "A token has ASCII characters only");
        assertThat(stored()).isEmpty();
        browser.script("localStorage.setItem('mykit-delay.language', 'zh')");
        browser.driver().navigate().refresh();
        logIn("我的令牌", "overview");
        console.awaitText("login-error", "令牌只能含 ASCII 字符");
        logIn(ADMIN, "overview");
        console.awaitPage("overview");
        browser.assertNoProblems();
    }

    @Test
    void aCallThatTheRoleDoesNotAllowIsListedAndFound() {
        post("/topics/pause?topic=a%E2%80%AEb", VIEWER);
        post("/topics/pause?topic=orders&for=1h", ADMIN);
        post("/topics/resume?topic=orders", ADMIN);
        logIn(ADMIN, "operations");
        console.awaitText("recent-list", "FORBIDDEN");
        console.awaitText("recent-list", "a\\u202eb");
        console.awaitText("recent-list", "orders");

        console.choose("recent-end", "refused");
        assertThat(console.text("recent-list")).contains("FORBIDDEN").doesNotContain("orders");
        console.choose("recent-end", "acted");
        assertThat(console.text("recent-list")).contains("orders").doesNotContain("FORBIDDEN");
        console.choose("recent-call", "resume");
        assertThat(console.text("recent-list")).contains("orders").doesNotContain("for=1h");
        console.type("recent-text", "nothing like this");
        console.find("recent-none");
        browser.assertNoProblems();
    }

    @Test
    void anOperatorGetsWhereTheAddressLeads() {
        logIn(ADMIN, "operations");
        console.awaitPage("operations");
        console.find("restore");
        assertThat(stored()).isEmpty();
        assertThat(browser.driver().getCurrentUrl()).doesNotContain(ADMIN);
        browser.assertNoProblems();

        browser.driver().navigate().refresh();
        console.find("login");
    }

    @Test
    void aTokenIsKeptInTheTabOnlyIfAskedFor() {
        console.load("", "overview");
        console.type("token", ADMIN);
        console.click("keep-token");
        console.click("log-in");
        console.awaitPage("overview");
        browser.driver().navigate().refresh();
        console.awaitPage("overview");
        assertThat(stored()).containsExactly("mykit-delay.token");
        assertThat((String) browser.script("return JSON.stringify(localStorage) + document.cookie"))
                .doesNotContain(ADMIN);

        console.click("log-out");
        console.find("login");
        assertThat(stored()).isEmpty();
        browser.assertNoProblems();
    }

    @Test
    void aViewerReadsAndHasNoButtonThatActs() {
        logIn(VIEWER, "operations");
        console.find("reads-only");
        assertThat(console.all(Console.named("restore"))).isEmpty();
        console.go("topics?topic=orders");
        console.awaitPage("topic");
        console.find("to-messages");
        assertThat(console.all(Console.named("pause"))).isEmpty();
        assertThat(console.all(Console.named("clear"))).isEmpty();
        console.go("try");
        console.find("reads-only");
        assertThat(console.all(Console.named("push"))).isEmpty();
        browser.assertNoProblems();
    }

    @Test
    void aProducerPushesAndCancels() {
        logIn(PRODUCER, "try?topic=orders");
        console.type("push-id", "own-1");
        console.type("push-delay", "45m");
        console.click("push");
        console.awaitText("pushed", "own-1");
        console.clickOn("[data-test='pushed'] a");
        console.find("cancel");
        assertThat(console.all(Console.named("restore"))).isEmpty();
        browser.forgetProblems();
    }

    @Test
    void aProducerBeginsAtTheFormAndSeesNoPageThatItMayNotRead() {
        logIn(PRODUCER, "");
        console.awaitPage("try");
        assertThat(console.all("nav a[data-test]"))
                .extracting(link -> link.getDomAttribute("data-test"))
                .containsExactly("nav-try", "nav-api");
        browser.assertNoProblems();
    }

    @ParameterizedTest
    @ValueSource(strings = {VIEWER, PRODUCER})
    void theTokenStandsForItselfInTheCommand(String token) {
        logIn(token, "try");
        console.awaitText("curl", "Bearer $TOKEN");
        assertThat(console.text("curl")).doesNotContain(token);
        browser.forgetProblems();
    }

    private void post(String path, String token) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<Void> answer =
                HTTP.sendAsync(request, HttpResponse.BodyHandlers.discarding()).join();
        assertThat(answer.statusCode()).isIn(200, 403);
    }

    private Object isSentenceOpen() {
        return browser.script("return document.querySelector(\"[data-test='login-error'] details\").open");
    }

    private List<Object> stored() {
        return new ArrayList<>((List<?>) browser.script("return Object.keys(sessionStorage)"));
    }
}
