package io.mykit.delay.test;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets each wait of a test look at once, and often. With the defaults of Awaitility a wait takes 100 ms at least. */
public final class FrequentLooks implements BeforeAllCallback {
    private static final Duration INTERVAL = Duration.ofMillis(25);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
