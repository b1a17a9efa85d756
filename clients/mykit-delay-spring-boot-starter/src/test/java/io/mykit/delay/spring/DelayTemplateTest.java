package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Timeout(60)
class DelayTemplateTest {
    private static final Duration DELAY = Duration.ofMinutes(30);

    private final DelayServerStub server = new DelayServerStub();
    private final ApplicationContextRunner application = Contexts.of(server);

    @AfterEach
    void close() {
        server.close();
    }

    record Order(int number) {}

    @Test
    void aPayloadGoesAsItIsOrAsJson() {
        application.run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            String id = template.send("orders", "a text", DELAY);
            template.send("orders", new byte[] {1, 2}, Instant.ofEpochMilli(1_800_000_000_000L));
            template.send("orders", new Order(7), DELAY, message -> message.id("order-7")
                    .headers(Map.of("tenant", "42")));

            List<JsonObject> pushed = server.pushed();
            assertThat(pushed.get(0).text("id")).isEqualTo(id);
            assertThat(pushed.get(0).text("topic")).isEqualTo("orders");
            assertThat(pushed.get(0).text("body")).isEqualTo("a text");
            assertThat(pushed.get(0).integer("delay")).isEqualTo(1_800_000);
            assertThat(pushed.get(1).text("bodyBase64"))
                    .isEqualTo(Base64.getEncoder().encodeToString(new byte[] {1, 2}));
            assertThat(pushed.get(1).integer("triggerAt")).isEqualTo(1_800_000_000_000L);
            assertThat(pushed.get(2).text("body")).isEqualTo("{\"number\":7}");
            assertThat(pushed.get(2).text("id")).isEqualTo("order-7");
            assertThat(pushed.get(2).texts("headers")).isEqualTo(Map.of("tenant", "42"));
        });
    }

    @Test
    void withoutATransactionACallHasItsResultAtOnce() {
        application.run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            assertThat(template.cancel("order-7")).isCompletedWithValue(CancelResult.CANCELLED);
            assertThat(template.reschedule("order-7", DELAY)).isCompletedWithValue(RescheduleResult.RESCHEDULED);
            server.ofKey(Map.of("order-5", ""));
            assertThat(template.cancelOfKey("orders", "7"))
                    .isCompletedWithValueMatching(all -> all.get(0).orThrow() == CancelResult.CANCELLED);
            assertThat(template.rescheduleOfKey("orders", "7", Instant.EPOCH))
                    .isCompletedWithValueMatching(all -> all.get(0).orThrow() == RescheduleResult.RESCHEDULED);
            assertThat(server.calls())
                    .containsExactly(
                            "/delete order-7",
                            "/reschedule order-7",
                            "/delete topic=orders&bizKey=7",
                            "/reschedule key 7");
            server.calls().clear();
            server.refuse("/delete", "ALREADY_DISPATCHED");
            assertThat(template.cancel("order-7")).isCompletedWithValue(CancelResult.ALREADY_DISPATCHED);
            assertThat(server.calls()).containsExactly("/delete order-7");
            server.refuse("/delete", "UNAUTHORIZED");
            assertThatExceptionOfType(DelayRequestException.class).isThrownBy(() -> template.cancel("order-7"));
        });
    }

    @Test
    void aWrongDelayIsRefusedByTheCall() {
        application.run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> template.reschedule("order-7", Duration.ofSeconds(-1)));
            assertThat(server.calls()).isEmpty();
        });
    }
}
