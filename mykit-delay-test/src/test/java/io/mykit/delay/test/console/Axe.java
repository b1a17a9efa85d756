package io.mykit.delay.test.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The audit of axe. It makes functions of texts, which the policy of the page forbids. */
final class Axe {
    private static final String SCRIPT = read();

    private Axe() {}

    /** Switches the policy of pages off. */
    static void begin(Browser browser) {
        browser.command("Page.setBypassCSP", Map.of("enabled", true));
        browser.timeout(Duration.ofSeconds(60));
    }

    static void end(Browser browser) {
        browser.command("Page.setBypassCSP", Map.of("enabled", false));
    }

    /** What is serious on the page as it is now. */
    static List<?> findings(Browser browser) {
        browser.script(SCRIPT);
        return (List<?>) browser.driver().executeAsyncScript("""
                        const done = arguments[arguments.length - 1];
                        axe.run(document, {resultTypes: ['violations']}).then(
                          found => done(found.violations
                            .filter(one => one.impact === 'serious' || one.impact === 'critical')
                            .map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))),
                          error => done([String(error)]));
                        """);
    }

    private static String read() {
        try (InputStream in = Axe.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
