package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.spring.boot.DelayAutoConfiguration;
import io.mykit.delay.spring.boot.DelayClientProperties;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

@Timeout(60)
class AutoConfigurationTest {
    private static final String HEALTH = "mykitDelayHealthIndicator";
    private static final boolean JACKSON_3 = ClassUtils.isPresent(
            "tools.jackson.databind.json.JsonMapper", AutoConfigurationTest.class.getClassLoader());

    private final DelayServerStub server = new DelayServerStub();
    private final ApplicationContextRunner application = Contexts.of(server);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void theTestsRunWithTheBootThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.expected"));
        assertThat(JACKSON_3).isEqualTo(SpringBootVersion.getVersion().startsWith("4"));
    }

    @Test
    void springBootFindsTheConfiguration() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .contains(DelayAutoConfiguration.class.getName());
    }

    @Test
    void theTokenIsSentAndNeverShown() {
        application
                .withPropertyValues(
                        "mykit.delay.client.token=t0p-secret", "mykit.delay.client.callback.secret=whsec_AAAA")
                .run(context -> {
                    context.getBean(DelayTemplate.class).send("orders", "text", Duration.ofSeconds(1));
                    assertThat(server.authorizations()).containsExactly("Bearer t0p-secret");
                    assertThat(context.getBean(DelayClientProperties.class).toString())
                            .doesNotContain("t0p-secret", "whsec")
                            .contains(server.url());
                });
    }

    @Test
    void oneKeySwitchesItOff() {
        application.withPropertyValues("mykit.delay.client.enabled=false").run(context -> assertThat(context)
                .doesNotHaveBean(DelayClient.class)
                .doesNotHaveBean(DelayTemplate.class)
                .doesNotHaveBean(HEALTH));
    }

    static class Csv implements PayloadFormat {
        @Override
        public String write(Object payload) {
            return payload + ";";
        }

        @Override
        public Object read(String body, Type type) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void beansOfTheApplicationReplaceThoseOfTheStarter() {
        DelayClient own = DelayClient.builder().endpoint(server.url()).build();
        application.withBean(DelayClient.class, () -> own).withBean(Csv.class).run(context -> {
            assertThat(context.getBean(DelayClient.class)).isSameAs(own);
            context.getBean(DelayTemplate.class).send("orders", 42, Duration.ofSeconds(1));
            assertThat(server.pushed().get(0).text("body")).isEqualTo("42;");
        });
    }

    record Order(int orderNumber) {}

    /** A configuration of its own, because the class of the tests must not name a version of Jackson that is away. */
    @Configuration(proxyBeanMethods = false)
    static class Jackson2 {
        @Bean
        com.fasterxml.jackson.databind.ObjectMapper mapper() {
            return new com.fasterxml.jackson.databind.ObjectMapper()
                    .setPropertyNamingStrategy(com.fasterxml.jackson.databind.PropertyNamingStrategies.SNAKE_CASE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jackson3 {
        @Bean
        tools.jackson.databind.json.JsonMapper mapper() {
            return tools.jackson.databind.json.JsonMapper.builder()
                    .propertyNamingStrategy(tools.jackson.databind.PropertyNamingStrategies.SNAKE_CASE)
                    .build();
        }
    }

    @Test
    void theMapperOfTheApplicationWrites() {
        application
                .withUserConfiguration(JACKSON_3 ? Jackson3.class : Jackson2.class)
                .run(context -> {
                    context.getBean(DelayTemplate.class).send("orders", new Order(7), Duration.ofSeconds(1));
                    assertThat(server.pushed().get(0).text("body")).isEqualTo("{\"order_number\":7}");
                });
    }

    @Test
    void healthIsThatOfTheServers() {
        application.run(context -> {
            assertThat(health(context.getBean(HEALTH))).isEqualTo("UP {" + server.url() + "=UP}");
            server.readiness(503);
            assertThat(health(context.getBean(HEALTH))).isEqualTo("DOWN {" + server.url() + "=HTTP 503}");
        });
    }

    @Test
    void healthShowsTheListenersThatAreRefused() {
        server.refuse("/pull", "NOT_PULLABLE");
        String well = "UP {" + server.url() + "=UP}";
        String refused = "UP {" + server.url() + "=UP, refusedListeners={orders=HTTP 409 NOT_PULLABLE}}";
        application.withBean(Failing.class).run(context -> {
            await().untilAsserted(
                            () -> assertThat(health(context.getBean(HEALTH))).isEqualTo(refused));
            server.accept("/pull");
            await().untilAsserted(
                            () -> assertThat(health(context.getBean(HEALTH))).isEqualTo(well));
        });
        application
                .withPropertyValues("mykit.delay.client.listener.enabled=false")
                .run(context -> assertThat(health(context.getBean(HEALTH))).isEqualTo(well));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "delay-1:6355", "http://delay-1:6355,", "http://delay-1:6355，http://delay-2:6355"})
    void wrongEndpointsNameThePropertyAndItsForm(String endpoints) {
        application
                .withPropertyValues("mykit.delay.client.endpoints=" + endpoints)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Property mykit.delay.client.endpoints with value ")
                        // Spring Boot has an analyzer of this exception.
                        .rootCause()
                        .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, invalid -> assertThat(
                                        invalid.getReason())
                                .contains("The form is http://delay-1:6355,http://delay-2:6355")));
    }

    @Test
    void oneReadyServerIsEnough() {
        application
                .withPropertyValues("mykit.delay.client.endpoints=http://127.0.0.1:1," + server.url())
                .run(context -> assertThat(health(context.getBean(HEALTH)))
                        .startsWith("UP {http://127.0.0.1:1=ConnectException, ")
                        .endsWith("=UP}"));
    }

    @Test
    void healthCanBeSwitchedOff() {
        application
                .withPropertyValues("management.health.mykit-delay.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HEALTH));
    }

    /** The types of the health have other names in Boot 4. */
    static String health(Object indicator) throws ReflectiveOperationException {
        Object health = indicator.getClass().getMethod("health").invoke(indicator);
        Object status = health.getClass().getMethod("getStatus").invoke(health);
        Map<?, ?> details =
                (Map<?, ?>) health.getClass().getMethod("getDetails").invoke(health);
        return status + " " + details;
    }

    static class Failing {
        @DelayedListener(topic = "orders")
        void handle(String body) {
            if (!body.isEmpty()) {
                throw new IllegalStateException(body);
            }
        }
    }

    @Test
    void listenersAreTimed() {
        application.withBean(SimpleMeterRegistry.class).withBean(Failing.class).run(context -> {
            server.due("orders", "1", "");
            server.due("orders", "2", "no stock");
            server.due("orders", "3", "");
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().untilAsserted(() -> {
                assertThat(count(registry, "done")).isEqualTo(2);
                assertThat(count(registry, "failed")).isEqualTo(1);
            });
        });
    }

    private static long count(MeterRegistry registry, String outcome) {
        Timer timer = registry.find("mykit.delay.listener")
                .tags("topic", "orders", "mode", "pull", "outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void whatAnApplicationDoesNotHaveIsNotNeeded() {
        application
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer.core", "org.springframework.boot.actuate", "org.springframework.boot.health"))
                .withBean(Failing.class)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(HEALTH);
                    server.due("orders", "1", "");
                    await().untilAsserted(
                                    () -> assertThat(server.settled("ack", "1")).isNotNull());
                });
    }
}
