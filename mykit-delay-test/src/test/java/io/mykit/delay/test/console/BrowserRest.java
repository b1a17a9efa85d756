package io.mykit.delay.test.console;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** No page of a class goes on working while other classes run. JUnit finds this class, as it finds {@code ForkPlace}. */
public final class BrowserRest implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) {
        Browser.rest();
    }
}
