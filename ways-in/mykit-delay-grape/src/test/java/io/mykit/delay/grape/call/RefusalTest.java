package io.mykit.delay.grape.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Reply;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalTest {
    private static String text(Reply reply) {
        return reply.status() + " " + new String(reply.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_REQUEST,400,9999",
        "TOO_LARGE,413,413",
        "UNAUTHORIZED,401,401",
        "FORBIDDEN,403,403",
        "STORE_UNAVAILABLE,500,9999",
        "INDEX_UNAVAILABLE,500,9999",
        "BUSY,500,9999",
        "ALREADY_RUNNING,500,9999",
    })
    void anErrorOfTheEngineHasItsText(ErrorCode code, int status, int shown) {
        DelayException failure = new DelayException(code, "why \"so\"");
        assertThat(text(Refusal.of(new CompletionException(failure))))
                .isEqualTo(status + " {\"code\":" + shown + ",\"desc\":\"why \\\"so\\\"\"}");
    }

    @Test
    void aDefectTellsNothing() {
        String internal = "500 {\"code\":9999,\"desc\":\"internal error\"}";
        assertThat(text(Refusal.of(new IllegalStateException("secret")))).isEqualTo(internal);
        assertThat(text(Refusal.of(new DelayException(ErrorCode.INTERNAL, "secret"))))
                .isEqualTo(internal);
    }

    @Test
    void aLimitTellsWhenToComeAgain() {
        Reply reply = Refusal.limited(3).reply();
        assertThat(reply.retryAfter()).isEqualTo(3);
        assertThat(text(reply))
                .isEqualTo(
                        "429 {\"code\":429,\"desc\":\"the calls of this token are over their rate; try again in 3 s\"}");
    }
}
