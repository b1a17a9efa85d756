package io.mykit.delay.controller.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    @Test
    void answersToAPushAsToAnythingElse() {
        for (char c = 0; c < 0x3000; c++) {
            if (!Character.isSurrogate(c)) {
                String id = "a" + c + "b";
                assertThat(Envelope.accepted(id)).isEqualTo(Envelope.success(id));
            }
        }
        assertThat(Envelope.accepted("😀")).isEqualTo(Envelope.success("😀"));
        assertThat(Envelope.accepted("")).isEqualTo(Envelope.success(""));
        assertThat(Envelope.accepted("20", null)).isEqualTo(Envelope.accepted("20"));
        assertThat(Envelope.accepted("20", MessageStatus.FINISH).body().toString())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\",\"status\":\"FINISH\"}");
        assertThat(Envelope.accepted("20").body().toString())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\"}");
    }
}
