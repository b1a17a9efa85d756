package io.mykit.delay.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.client.RetryLaterException;
import io.mykit.delay.spring.boot.DelayAutoConfiguration;
import io.mykit.delay.spring.callback.CallbackController;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

@Timeout(60)
class CallbackTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = SECRET.replace('M', 'N');
    private static final String PATH = "/mykit-delay/callback";

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DelayAutoConfiguration.class))
            .withUserConfiguration(Mvc.class)
            .withBean(Listener.class)
            .withPropertyValues("mykit.delay.client.callback.secret=" + SECRET);

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    record Order(int order) {}

    static class Listener {
        private final List<Object> got = new CopyOnWriteArrayList<>();

        @DelayedListener(topic = "orders", mode = Mode.PUSH)
        void order(
                Order order,
                DelayedMessage message,
                @DelayedHeader("attempt") int attempt,
                @DelayedHeader("Tenant") String tenant) {
            got.addAll(List.of(order, message.id(), message.dueTime(), message.bizKey(), attempt, tenant));
            got.addAll(List.of(message.subtopic(), message.maxAttempts()));
        }

        @DelayedListener(topic = "sums", mode = Mode.PUSH)
        Order sum(Order order) {
            return new Order(order.order() + 1);
        }

        @DelayedListener(topic = "订单 100%", mode = Mode.PUSH)
        void outcome(String body) {
            got.add(body);
            switch (body) {
                case "reject" -> throw new RejectMessageException("no such order");
                case "later" -> throw new RetryLaterException(Duration.ofMinutes(5));
                case "fail" -> throw new IllegalStateException("no stock");
                default -> {}
            }
        }
    }

    @Test
    void aGenuineCallbackReachesItsListener() {
        application.run(context -> {
            assertThat(status(context, signed(SECRET, "{\"order\":7}", "orders")))
                    .isEqualTo(204);
            assertThat(context.getBean(Listener.class).got)
                    .containsExactly(
                            new Order(7), "20", Instant.ofEpochSecond(1_800_000_000), "größe", 2, "shop", "", 0);
        });
    }

    @Test
    void theStatusSaysWhatBecomesOfTheMessage() {
        application.run(context -> {
            String topic = "%E8%AE%A2%E5%8D%95%20100%25";
            assertThat(status(context, signed(SECRET, "fine", topic))).isEqualTo(204);
            assertThat(status(context, signed(SECRET, "reject", topic))).isEqualTo(410);
            assertThat(status(context, signed(SECRET, "later", topic))).isEqualTo(500);
            assertThat(status(context, signed(SECRET, "fail", topic))).isEqualTo(500);
            assertThat(context.getBean(Listener.class).got).containsExactly("fine", "reject", "later", "fail");
        });
    }

    @Test
    void theAnswerHasTheResult() {
        application.run(context -> {
            var answer = MockMvcBuilders.webAppContextSetup(context)
                    .build()
                    .perform(signed(SECRET, "{\"order\":7}", "sums"))
                    .andReturn()
                    .getResponse();
            assertThat(answer.getStatus()).isEqualTo(200);
            assertThat(answer.getContentAsString()).isEqualTo("{\"order\":8}");
        });
    }

    @Test
    void theAnswerHasTheReasonThatTheListenerGave() {
        application.run(context -> {
            String topic = "%E8%AE%A2%E5%8D%95%20100%25";
            assertThat(body(context, signed(SECRET, "reject", topic))).isEqualTo("no such order");
            assertThat(body(context, signed(SECRET, "later", topic))).isEqualTo("again in PT5M");
            assertThat(body(context, signed(SECRET, "fail", topic))).isEmpty();
        });
    }

    @Test
    void otherRequestsAreRefused() {
        application.run(context -> {
            assertThat(status(context, signed(OTHER, "{\"order\":7}", "orders")))
                    .isEqualTo(401);
            assertThat(status(context, unsigned(PATH, "{}"))).isEqualTo(401);
            assertThat(status(context, signed(SECRET, "{\"order\":7}", "unknown")))
                    .isEqualTo(404);
            assertThat(context.getBean(Listener.class).got).isEmpty();
        });
    }

    @Test
    void severalSecretsAreForARotation() {
        application
                .withPropertyValues("mykit.delay.client.callback.secret=" + OTHER + " " + SECRET)
                .run(context -> {
                    assertThat(status(context, signed(SECRET, "{\"order\":7}", "orders")))
                            .isEqualTo(204);
                    assertThat(status(context, signed(OTHER, "{\"order\":7}", "orders")))
                            .isEqualTo(204);
                });
    }

    @Test
    void pathAndLargestBodyAreKeys() {
        application
                .withPropertyValues(
                        "mykit.delay.client.callback.path=/hooks/delay", "mykit.delay.client.callback.max-body=10B")
                .run(context -> {
                    assertThat(status(context, signed(SECRET, "{\"order\":7}", "orders")))
                            .isEqualTo(404);
                    assertThat(status(context, signed("/hooks/delay", SECRET, "{\"order\":7}", "orders")))
                            .isEqualTo(413);
                });
    }

    @Test
    void aWrongSecretIsNamedAndNotShown() {
        application
                .withPropertyValues("mykit.delay.client.callback.secret=" + SECRET + " abcde")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("mykit.delay.client.callback.secret: a secret is whsec_ and Base64")
                        .hasMessageNotContaining("abcde"));
    }

    @Test
    void aBodyThatIsNotOfTheTypeIsRejected() {
        application.run(context -> {
            assertThat(status(context, signed(SECRET, "no json", "orders"))).isEqualTo(410);
        });
    }

    @Test
    void withoutASecretThereIsNoEndpoint() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayAutoConfiguration.class))
                .withUserConfiguration(Mvc.class)
                .withPropertyValues("mykit.delay.client.callback.secret=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CallbackController.class));
    }

    private static RequestBuilder signed(String secret, String body, String topic) {
        return signed(PATH, secret, body, topic);
    }

    /** Without the builders of MockMvc, whose types differ between the versions of Spring. */
    private static RequestBuilder signed(String path, String secret, String body, String topic) {
        long seconds = Instant.now().getEpochSecond();
        String signature;
        try {
            signature = new Webhook(secret).sign("20", seconds, body);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return context -> {
            MockHttpServletRequest request = unsigned(path, body).buildRequest(context);
            request.addHeader("webhook-id", "20");
            request.addHeader("webhook-timestamp", Long.toString(seconds));
            request.addHeader("webhook-signature", signature);
            request.addHeader("mykit-delay-id", "20");
            request.addHeader("mykit-delay-topic", topic);
            request.addHeader("mykit-delay-biz-key", "gr%C3%B6%C3%9Fe");
            request.addHeader("mykit-delay-due-time", "1800000000000");
            request.addHeader("mykit-delay-attempt", "2");
            request.addHeader("tenant", "shop");
            return request;
        };
    }

    private static RequestBuilder unsigned(String path, String body) {
        return context -> {
            MockHttpServletRequest request = new MockHttpServletRequest(context, "POST", path);
            request.setContent(body.getBytes(UTF_8));
            request.setContentType("application/json");
            return request;
        };
    }

    private static int status(WebApplicationContext context, RequestBuilder request) throws Exception {
        return answer(context, request).getStatus();
    }

    private static String body(WebApplicationContext context, RequestBuilder request) throws Exception {
        return answer(context, request).getContentAsString();
    }

    private static MockHttpServletResponse answer(WebApplicationContext context, RequestBuilder request)
            throws Exception {
        MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
        return mvc.perform(request).andReturn().getResponse();
    }
}
