package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallTest {
    private static final String FORM = "Application/x-www-form-urlencoded; charset=UTF-8";

    @ParameterizedTest
    @ValueSource(strings = {"jobId=a%2Fb", "JobId=a/b", "id=a/b", "x=1&id=a%2fb&jobId=a/b"})
    void anIdHasThreeNamesInQueryAndForm(String pairs) {
        assertThat(call(null, pairs, null, "").messageId()).isEqualTo("a/b");
        assertThat(call(null, null, FORM, pairs).messageId()).isEqualTo("a/b");
        assertThat(call(null, pairs, FORM, pairs).messageId()).isEqualTo("a/b");
    }

    @Test
    void theIdInThePathWins() {
        assertThat(call("p", "jobId=q", null, "").messageId()).isEqualTo("p");
    }

    @ParameterizedTest
    @CsvSource({
        "'',jobId is required",
        "jobId=,jobId is required",
        "JOBID=x,jobId is required",
        "jobId=a&id=b,'jobId is given twice, with different values'",
        "jobId=%00,jobId contains a control character",
        "jobId=20%20,jobId begins or ends with white space",
        "jobId=%zz,malformed percent-encoding",
    })
    void badIds(String query, String message) {
        assertThatThrownBy(() -> call(null, query, null, "").messageId()).hasMessage(message);
    }

    @Test
    void aLongIdIsRefused() {
        assertThatThrownBy(() -> call("x".repeat(129), null, null, "").messageId())
                .hasMessage("id is longer than 128 characters");
    }

    @Test
    void bodiesThatAreNoFormAreNotRead() {
        assertThatThrownBy(() -> call(null, null, "text/plain", "jobId=1").messageId())
                .hasMessage("jobId is required");
    }

    @Test
    void flags() {
        assertThat(call(null, null, null, "").flag("expire", true)).isTrue();
        assertThat(call(null, "expire=false", null, "").flag("expire", true)).isFalse();
        assertThat(call(null, null, FORM, "expire=false").flag("expire", true)).isFalse();
        assertThatThrownBy(() -> call(null, "expire=no", null, "").flag("expire", true))
                .hasMessage("expire must be true or false");
    }

    @Test
    void anotherCharsetMattersOnlyWhereItMakesADifference() {
        String latin = "text/plain; charset=ISO-8859-1";
        assertThat(call(null, null, latin, "ascii").json()).hasSize(5);
        assertThat(call(null, null, "application/json;charset=\"UTF-8\"", "é").json())
                .hasSize(2);
        Call accented = new Call(null, null, latin, Buffer.buffer("é".getBytes(StandardCharsets.UTF_8)), Runnable::run);
        assertThatThrownBy(accented::json).hasMessage("the body must be UTF-8");
    }

    private static Call call(String pathId, String query, String contentType, String body) {
        return new Call(pathId, query, contentType, Buffer.buffer(body), Runnable::run);
    }
}
