package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;

/** The console in a browser, by the names that its elements have for tests. */
final class Console {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    /** A search may last longer. */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    /** Goes to a page that is none; false = the document is not the console of this server, or asks for a token. */
    private static final String LEAVES_PAGE = """
            const is = location.href.startsWith(arguments[0] + '#') && document.querySelector('.frame') !== null;
            if (is) {
              location.hash = '#/-';
            }
            return is;
            """;

    private final Browser browser;
    private final String url;

    Console(Browser browser, String serverUrl) {
        this.browser = browser;
        this.url = serverUrl + "/console/";
    }

    /**
     * Goes to a page in a language, and waits until it shows data. The page begins anew. The document stays if it is the
     * console already, because a load takes a second on a busy machine.
     */
    void open(String language, String fragment) {
        if (Boolean.FALSE.equals(browser.script(LEAVES_PAGE, url))) {
            load("", "");
            browser.script("localStorage.setItem('mykit-delay.language', arguments[0])", language);
            load("", fragment);
            awaitReady();
            return;
        }
        patiently().until(() -> all("[data-test-page]").isEmpty());
        if (!((String) browser.script("return document.documentElement.lang")).startsWith(language)) {
            choose("language", language);
            patiently().until(() -> ((String) browser.script("return document.documentElement.lang"))
                    .startsWith(language));
        }
        go(fragment);
        // The heading of a new page takes the focus, which a test must not lose later.
        patiently().until(() -> (Boolean) browser.script("return document.querySelector('[data-test-page]') !== null"
                + " && document.activeElement.tagName === 'H1'"));
    }

    /** The query and the fragment of the address; the page is loaded in any case. */
    void load(String query, String fragment) {
        browser.driver().get("about:blank");
        browser.driver().get(url + query + "#/" + fragment);
    }

    void awaitReady() {
        patiently().until(() -> !all("[data-test-ready='true']").isEmpty());
    }

    /** Goes to another page without loading anew. */
    void go(String fragment) {
        browser.script("location.hash = '#/' + arguments[0]", fragment);
    }

    void awaitPage(String name) {
        patiently().until(() -> !all("[data-test-page='" + name + "']").isEmpty());
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    List<WebElement> all(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    boolean shows(String name) {
        return !all(named(name)).isEmpty();
    }

    /** Waits for an element by its name for tests. */
    WebElement find(String name) {
        return findBy(named(name));
    }

    WebElement findBy(String selector) {
        patiently().until(() -> !all(selector).isEmpty());
        return all(selector).get(0);
    }

    void click(String name) {
        clickOn(named(name));
    }

    /**
     * The page may render the element anew between the search and the click, and a panel that gets its data moves what stands below
     * it. So the click waits a while for all data, and for a button that can be pressed.
     */
    void clickOn(String selector) {
        long settledNanos = System.nanoTime() + SETTLED.toNanos();
        patiently().ignoreExceptions().until(() -> {
            if (System.nanoTime() < settledNanos && !all("[aria-busy='true']").isEmpty()) {
                return false;
            }
            WebElement element = all(selector).get(0);
            if (!element.isEnabled()) {
                return false;
            }
            browser.script("arguments[0].scrollIntoView({block: 'center'})", element);
            element.click();
            return true;
        });
    }

    void type(String name, String text) {
        WebElement field = find(name);
        field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        field.sendKeys(text);
    }

    void choose(String name, String value) {
        WebElement select = find(name);
        browser.script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
                select,
                value);
    }

    /** The visible text of the first element with this name now, or an empty text. A test that expects it waits for it: {@link #awaitText}. */
    String text(String name) {
        try {
            List<WebElement> found = all(named(name));
            return found.isEmpty() ? "" : found.get(0).getText();
        } catch (StaleElementReferenceException e) {
            return "";
        }
    }

    void awaitText(String name, String... parts) {
        patiently().untilAsserted(() -> assertThat(text(name)).contains(parts));
    }

    /** Presses the button of the open dialog, and waits for the answer; returns it. */
    String confirm() {
        patiently().until(() -> all(named("go")).stream().anyMatch(WebElement::isEnabled));
        click("go");
        String answer = patiently().until(() -> text("answer"), text -> !text.isEmpty());
        click("keep");
        patiently().until(() -> !shows("dialog"));
        return answer;
    }

    List<String> keys(String table) {
        return all(named(table) + " tbody tr").stream()
                .map(row -> row.getDomAttribute("data-key"))
                .toList();
    }

    /**
     * The elements that make the page wider than its window. The inner width is no measure: an emulated phone zooms out until the
     * page fits.
     */
    List<Object> tooWide() {
        return new ArrayList<>((List<?>) browser.script("""
                const page = document.documentElement;
                return page.scrollWidth <= page.clientWidth ? [] : [...document.querySelectorAll('body *')]
                    .filter(each => each.getBoundingClientRect().right > page.clientWidth + 1)
                    .map(each => `${each.tagName} ${each.getAttribute('class')} ${Math.round(each.getBoundingClientRect().right)}`);
                """));
    }

    /** The page may render an element anew while the condition reads it. */
    static ConditionFactory patiently() {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(StaleElementReferenceException.class::isInstance);
    }

    static String named(String name) {
        return "[data-test='" + name + "']";
    }
}
