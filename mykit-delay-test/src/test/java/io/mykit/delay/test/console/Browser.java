package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium without a window, of this machine. It reaches 127.0.0.1 and no other host. A trap in each document notes
 * violations of the security policy, errors, and what a script would set that a producer smuggled in.
 */
final class Browser {
    static final int WIDE = 1280;
    static final int PHONE = 360;

    private static final String REQUIRE = "REQUIRE_BROWSER";
    private static final String TRAP = """
            window.__problems = [];
            window.__canary = 0;
            addEventListener('securitypolicyviolation', e => __problems.push('policy ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
            addEventListener('error', e => __problems.push('error ' + e.message));
            addEventListener('unhandledrejection', e => __problems.push('rejected ' + e.reason));
            for (const kind of ['error', 'warn']) {
              const old = console[kind];
              console[kind] = (...words) => { __problems.push(kind + ' ' + words.join(' ')); old.apply(console, words); };
            }
            """;

    private static Browser shared;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * The browser of all tests of this JVM, without a page and with its usual size. It ends with the JVM. Skips the test, with the
     * reason, if this machine has no browser; fails if it must have one.
     */
    static synchronized Browser shared() {
        if (shared == null) {
            Browser opened = open();
            Runtime.getRuntime().addShutdownHook(new Thread(opened::quit, "quit-browser"));
            shared = opened;
        }
        shared.driver.get("about:blank");
        shared.size(WIDE, 800);
        shared.forgetProblems();
        return shared;
    }

    /** Leaves the last page, which goes on asking its server otherwise, if this JVM has a browser. */
    static synchronized void rest() {
        if (shared != null) {
            shared.driver.get("about:blank");
        }
    }

    /** The end of the driver alone leaves the browser running. */
    private void quit() {
        List<ProcessHandle> processes = ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").contains("chrom"))
                .toList();
        try {
            driver.quit();
        } finally {
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static Browser open() {
        Optional<Path> chromium = program("CHROMIUM", "chromium");
        Optional<Path> chromedriver = program("CHROMEDRIVER", "chromedriver");
        boolean installed = chromium.isPresent() && chromedriver.isPresent();
        if (!installed && "true".equals(System.getenv(REQUIRE))) {
            throw new IllegalStateException("chromium and chromedriver are not on the PATH, and " + REQUIRE + "=true");
        }
        assumeTrue(installed, "chromium and chromedriver are not installed: the console is not tested in a browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--lang=en",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        if ("root".equals(System.getProperty("user.name"))) {
            options.addArguments("--no-sandbox");
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", TRAP));
        browser.command("Emulation.setTimezoneOverride", Map.of("timezoneId", "Asia/Shanghai"));
        browser.size(WIDE, 800);
        return browser;
    }

    private static Optional<Path> program(String variable, String name) {
        String named = System.getenv(variable);
        Stream<Path> places = named != null
                ? Stream.of(Path.of(named))
                : Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, name));
        return places.filter(Files::isExecutable).findFirst();
    }

    ChromeDriver driver() {
        return driver;
    }

    void command(String name, Map<String, Object> parameters) {
        driver.executeCdpCommand(name, parameters);
    }

    /** The size of the page; below 800 the layout is that of a phone. */
    void size(int width, int height) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 800));
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Problems since the last call: violations, errors and warnings of this document, and what the browser logged. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        ((List<?>) script("const found = window.__problems.splice(0); return found;"))
                .forEach(problem -> problems.add(problem.toString()));
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                problems.add("log " + entry.getMessage());
            }
        }
        return problems;
    }

    void assertNoProblems() {
        assertThat(problems()).isEmpty();
        assertThat(script("return window.__canary"))
                .as("a script of a producer ran")
                .isEqualTo(0L);
    }

    /** For tests that make a call fail on purpose: the browser logs each status of 400 and above. */
    void forgetProblems() {
        problems();
    }

    /** Below {@code target/screenshots}. */
    void screenshot(String name) {
        write(Path.of("target/screenshots", name + ".png"));
    }

    /** The same. With {@code -Dmykit.delay.docs=renew} it replaces the picture of this name in the documentation, too. */
    void picture(String name) {
        screenshot(name);
        if ("renew".equals(System.getProperty("mykit.delay.docs"))) {
            write(Path.of(System.getProperty("mykit.delay.repo", ".."), "docs/images/console-" + name + ".png"));
        }
    }

    private void write(Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void timeout(Duration timeout) {
        driver.manage().timeouts().scriptTimeout(timeout);
    }
}
