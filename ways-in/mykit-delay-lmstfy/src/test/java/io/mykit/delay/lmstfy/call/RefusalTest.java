package io.mykit.delay.lmstfy.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.ports.call.Reply;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void aLimitHasTheTextOfLmstfy() {
        Reply reply = Refusal.limited("secret", "consume", 2).reply();
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.retryAfter()).isEqualTo(2);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"msg\":\"token(secret) consume reach the limit rate, please retry later\"}");
    }
}
