package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

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

    private List<Object> stored() {
        return new ArrayList<>((List<?>) browser.script("return Object.keys(sessionStorage)"));
    }
}
