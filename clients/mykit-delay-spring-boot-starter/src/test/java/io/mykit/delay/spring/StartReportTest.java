package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.spring.boot.DelayAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The lines that an application has in its log because of the starter. */
@Timeout(60)
class StartReportTest {
    private final DelayServerStub server = new DelayServerStub();
    private final ApplicationContextRunner application = Contexts.of(server);
    private final LogLines log = new LogLines();

    @AfterEach
    void close() {
        log.close();
        server.close();
    }

    static class Pulled {
        @DelayedListener(topic = "orders", concurrency = 3)
        void order() {}

        @DelayedListener(topic = "${other.topic:parcels}")
        void parcel() {}
    }

    static class Pushed {
        @DelayedListener(topic = "sums", mode = Mode.PUSH)
        void sum() {}
    }

    @Test
    void oneLineTellsWhatTheApplicationListensTo() {
        application.withBean(Pulled.class).withBean(SimpleMeterRegistry.class).run(context -> assertThat(log.lines())
                .containsExactly("INFO mykit-delay is at " + server.url()
                        + "; listening to orders (pull, 3 at a time), parcels (pull, 1 at a time)"
                        + "; metrics on, health on"));
    }

    @Test
    void callbacksHaveTheirPath() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayAutoConfiguration.class))
                .withBean(Pushed.class)
                .withPropertyValues(
                        "mykit.delay.client.endpoints=http://a:6355/,http://b:6355",
                        "mykit.delay.client.callback.path=/hooks",
                        "mykit.delay.client.callback.secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "management.health.mykit-delay.enabled=false")
                .run(context -> assertThat(log.lines())
                        .containsExactly("INFO mykit-delay is at http://a:6355, http://b:6355"
                                + "; listening to sums (push, at /hooks); metrics off, health off"));
    }

    @Test
    void theServersAreThoseOfTheClientThatIsUsed() {
        application
                .withBean(
                        DelayClient.class,
                        () -> DelayClient.builder().endpoint("http://own:1").build())
                .withClassLoader(new FilteredClassLoader("io.micrometer.core", "org.springframework.transaction"))
                .run(context -> assertThat(log.lines())
                        .containsExactly("INFO mykit-delay is at http://own:1; no listeners; metrics off, health on"));
        application
                .withPropertyValues("mykit.delay.client.listener.enabled=false")
                .run(context -> assertThat(log.lines().get(1)).contains("; listeners are switched off; "));
    }

    @Test
    void aContextBelowLogsNoLine() {
        application.run(context -> {
            GenericApplicationContext below = new GenericApplicationContext(context);
            below.refresh();
            below.close();
            assertThat(log.lines()).hasSize(1);
        });
    }

    @Test
    void propertiesThatAreNotKnownAreWarnedOf() {
        application
                .withPropertyValues(
                        "mykit.delay.client.endpoint=http://somewhere",
                        "mykit.delay.client.callback.secert=whsec_AAAA",
                        "mykit.delay.client.cat=5",
                        "mykit.delay.client.retry.for=5s")
                .run(context -> assertThat(log.lines().subList(0, 4))
                        .anySatisfy(line -> assertThat(line)
                                .startsWith("WARNING The property mykit.delay.client.endpoint ")
                                .endsWith("is not known and does nothing; did you mean mykit.delay.client.endpoints?")
                                .doesNotContain("somewhere"))
                        .anySatisfy(line -> assertThat(line)
                                .contains("mykit.delay.client.callback.secert ")
                                .endsWith("did you mean mykit.delay.client.callback.secret?")
                                .doesNotContain("whsec"))
                        .anySatisfy(line -> assertThat(line)
                                .contains("mykit.delay.client.cat ")
                                .contains("known are [")
                                .contains("mykit.delay.client.listener.unreadable-body"))
                        .anySatisfy(line -> assertThat(line).endsWith("did you mean mykit.delay.client.retry-for?")));
    }

    @Test
    void aPropertyWhoseClientWasForgottenIsWarnedOf() {
        application
                .withPropertyValues(
                        "mykit.delay.endpoints[0]=http://somewhere",
                        "mykit.delay.retryFor=5s",
                        "mykit.delay.callback.secret=whsec_AAAA",
                        "mykit.delay.color=of another library",
                        "mykit.delay.client=of another library")
                .run(context -> assertThat(log.lines())
                        .filteredOn(line -> line.startsWith("WARNING"))
                        .satisfiesExactlyInAnyOrder(
                                line -> assertThat(line)
                                        .startsWith("WARNING The property mykit.delay.endpoints[0] ")
                                        .endsWith("is not known and does nothing; did you mean"
                                                + " mykit.delay.client.endpoints?")
                                        .doesNotContain("somewhere"),
                                line -> assertThat(line)
                                        .contains("mykit.delay.retryfor ")
                                        .endsWith("did you mean mykit.delay.client.retry-for?"),
                                line -> assertThat(line)
                                        .contains("mykit.delay.callback.secret ")
                                        .endsWith("did you mean mykit.delay.client.callback.secret?")
                                        .doesNotContain("whsec")));
    }

    @Test
    void aListenerWithoutATokenNamesTheProperty() {
        server.refuse("/pull", "UNAUTHORIZED");
        application.withBean(Pulled.class).run(context -> await().untilAsserted(() -> assertThat(log.lines())
                .contains("WARNING The consumer of orders gets no messages and tries again: HTTP 401 UNAUTHORIZED: no"
                        + " (set the token by the property mykit.delay.client.token)")));
    }

    @Test
    void aTypingErrorIsToldBeforeTheStartFails() {
        application
                .withBean(Pushed.class)
                .withPropertyValues("mykit.delay.client.callback.secert=whsec_AAAA")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(log.lines()).singleElement().asString().endsWith("callback.secret?");
                });
    }

    @Test
    void allFormsOfKnownPropertiesAreKnown() {
        Map<String, Object> variables = Map.of(
                "MYKIT_DELAY_CLIENT_RETRY_FOR", "2s",
                "MYKIT_DELAY_CLIENT_SSLBUNDLE", "",
                "MYKIT_DELAY_CLIENT_CALLBACK_MAX_BODY", "1MB",
                "MYKIT_DELAY_CLIENT_ENDPOINTS_0", server.url(),
                "MYKIT_DELAY_CLIENT_TOKN", "secret");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
                .withPropertyValues(
                        "mykit.delay.client.retryFor=3s",
                        "mykit.delay.client.ssl_bundle=",
                        "mykit.delay.client.endpoints[0]=" + server.url(),
                        "mykit.delay.client.listener.unreadable-body=retry",
                        "mykit.delay.clients=of another library")
                .run(context -> {
                    assertThat(log.lines()).hasSize(2);
                    assertThat(log.lines().get(0))
                            .contains("mykit.delay.client.tokn ")
                            .endsWith("did you mean mykit.delay.client.token?");
                });
    }

    @Test
    void anOutageHasALineAtItsBeginAndAtItsEnd() {
        server.refuse("/pull", "NOT_PULLABLE");
        application.withBean(Pulled.class).run(context -> {
            await().until(() -> log.lines().size() == 3);
            server.accept("/pull");
            await().until(() -> log.lines().size() == 5);
            assertThat(log.lines())
                    .contains(
                            "WARNING The consumer of orders gets no messages and tries again: HTTP 409 NOT_PULLABLE: no",
                            "INFO The consumer of orders is answered again");
        });
    }
}
