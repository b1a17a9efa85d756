package io.mykit.delay.spring;

import io.mykit.delay.spring.boot.DelayAutoConfiguration;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with the starter and one server. */
final class Contexts {
    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    private Contexts() {}

    static ApplicationContextRunner of(DelayServerStub server) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayAutoConfiguration.class))
                .withPropertyValues(
                        "mykit.delay.client.endpoints=" + server.url(),
                        "mykit.delay.client.retry-for=1s",
                        "mykit.delay.client.grace=20s");
    }
}
