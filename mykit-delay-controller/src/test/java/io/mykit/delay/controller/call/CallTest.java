package io.mykit.delay.controller.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.Principal;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallTest {
    private static final String FORM = "Application/x-www-form-urlencoded; charset=UTF-8";

    @ParameterizedTest
    @ValueSource(strings = {"jobId=a%2Fb", "JobId=a/b", "id=a/b", "id=a%2fb&jobId=a/b"})
    void anIdHasThreeNamesInQueryAndForm(String pairs) {
        assertThat(call(null, pairs, null, "").messageId()).isEqualTo("a/b");
        assertThat(call(null, null, FORM, pairs).messageId()).isEqualTo("a/b");
        assertThat(call("a/b", pairs, null, "").messageId()).isEqualTo("a/b");
    }

    @ParameterizedTest
    @CsvSource({
        "'',jobId is required",
        "jobId=,jobId is required",
        "JOBID=x,'unknown parameter JOBID; did you mean jobId? known are jobId, JobId, id'",
        "jobId=a&id=b,'jobId is given twice, with different values'",
        "jobId=a&jobId=b,'jobId is given twice, with different values'",
        "jobId=a&jobId=a,jobId is given twice",
        "jobId=%00,jobId contains a control character",
        "jobId=20%20,jobId begins or ends with white space",
        "jobId=%zz,malformed percent-encoding",
        "jobId=a#&id=b,# must be written as %23",
    })
    void badIds(String query, String message) {
        assertThatThrownBy(() -> call(null, query, null, "").messageId()).hasMessage(message);
    }

    @Test
    void anObjectIsJsonWhateverItsContentType() {
        assertThat(form(" {\"id\":\"a\"}").hasJson()).isTrue();
        assertThat(form(" {\"id\":\"a\"}").parameters().isEmpty()).isTrue();
        assertThat(form("id=%7B").hasJson()).isFalse();
        assertThat(form("id=%7B").messageId()).isEqualTo("{");
        assertThat(form("  ").hasJson()).isFalse();
    }

    private static Call form(String text) {
        Buffer body = Buffer.buffer(text);
        Parameters parameters = Parameters.read(ParameterNames.orJson("id"), null, FORM, body);
        return new Call(Map.of(), parameters, FORM, body, Principal.ANONYMOUS, null);
    }

    @Test
    void aLongIdIsRefused() {
        assertThatThrownBy(() -> call("x".repeat(129), null, null, "").messageId())
                .hasMessage("id is longer than 128 characters");
    }

    @Test
    void theIdInThePathAndAnotherOneContradictEachOther() {
        assertThatThrownBy(() -> call("p", "jobId=q", null, "").messageId())
                .hasMessage("jobId and the id in the path have different values");
    }

    @Test
    void anotherCharsetMattersOnlyWhereItMakesADifference() {
        String latin = "text/plain; charset=ISO-8859-1";
        assertThat(call(null, null, latin, "ascii").json()).hasSize(5);
        assertThat(call(null, null, "application/json;charset=\"UTF-8\"", "é").json())
                .hasSize(2);
        Call accented = call(null, null, latin, "é");
        assertThatThrownBy(accented::json).hasMessage("the body must be UTF-8");
    }

    private static Call call(String pathId, String query, String contentType, String text) {
        Buffer body = Buffer.buffer(text);
        boolean form = FORM.equals(contentType);
        Parameters parameters = Parameters.read(
                form || query != null ? ParameterNames.ID : ParameterNames.NONE, query, contentType, body);
        return new Call(
                pathId == null ? Map.of() : Map.of("id", pathId),
                parameters,
                contentType,
                body,
                Principal.ANONYMOUS,
                null);
    }
}
