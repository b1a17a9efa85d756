package io.mykit.delay.controller.reply;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorMapperTest {
    @ParameterizedTest
    @CsvSource({
        "INVALID_REQUEST,400",
        "UNAUTHORIZED,401",
        "FORBIDDEN,403",
        "NOT_FOUND,404",
        "METHOD_NOT_ALLOWED,405",
        "ID_CONFLICT,409",
        "ALREADY_DISPATCHED,409",
        "ALREADY_FINISHED,409",
        "ALREADY_RUNNING,409",
        "LEASE_LOST,409",
        "NOT_PULLABLE,409",
        "TOO_LARGE,413",
        "BUSY,429",
        "RATE_LIMITED,429",
        "STORE_UNAVAILABLE,503",
        "OUTCOME_UNKNOWN,503",
        "INDEX_UNAVAILABLE,503",
        "INTERNAL,500"
    })
    void everyCodeHasItsStatus(ErrorCode code, int status) {
        assertThat(ErrorMapper.status(code)).isEqualTo(status);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyFailureIsAnEnvelope(ErrorCode code) {
        Failure failure = ErrorMapper.failure(new CompletionException(new DelayException(code, "said \"so\"")));
        Reply reply = failure.reply();
        JSONObject json = JSON.parseObject(reply.body().getBytes());
        assertThat(json.keySet()).containsExactly("success", "code", "message", "error", "data");
        assertThat(json.getBoolean("success")).isFalse();
        assertThat(json.getIntValue("code")).isEqualTo(reply.status());
        assertThat(json.getString("error")).isEqualTo(code.name());
        assertThat(json.get("data")).isNull();
        boolean neutral = code == ErrorCode.INTERNAL;
        assertThat(json.getString("message"))
                .isEqualTo(neutral ? "internal error; the server's log knows more" : "said \"so\"");
    }

    @Test
    void headersThatTellWhatToDo() {
        assertThat(ErrorMapper.failure(ErrorCode.BUSY, "").headers()).containsEntry("Retry-After", "1");
        assertThat(ErrorMapper.failure(ErrorCode.STORE_UNAVAILABLE, "").headers())
                .containsKey("Retry-After");
        assertThat(ErrorMapper.failure(ErrorCode.UNAUTHORIZED, "").headers()).containsKey("WWW-Authenticate");
        assertThat(ErrorMapper.methodNotAllowed("PUT", "GET, HEAD").headers()).containsEntry("Allow", "GET, HEAD");
    }

    @Test
    void defectsStayInside() {
        Failure failure = ErrorMapper.failure(new IllegalStateException("password=secret"));
        assertThat(failure.status()).isEqualTo(500);
        assertThat(failure.message()).doesNotContain("secret");
    }

    @Test
    void successIsExactlyTheContract() {
        assertThat(Envelope.success("20").body().toString())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\"}");
        assertThat(ErrorMapper.failure(ErrorCode.ALREADY_DISPATCHED, "message 20 is already dispatched")
                        .reply()
                        .body()
                        .toString())
                .isEqualTo("{\"success\":false,\"code\":409,\"message\":\"message 20 is already dispatched\","
                        + "\"error\":\"ALREADY_DISPATCHED\",\"data\":null}");
    }
}
