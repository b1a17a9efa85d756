package io.mykit.delay.controller.call;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
    private static final String FORM = "Application/x-www-form-urlencoded; charset=UTF-8";
    private static final ParameterNames KNOWN = ParameterNames.of("expire", "topic", "dryRun", "stop");

    @Test
    void flags() {
        assertThat(query("").flag("expire", true)).isTrue();
        assertThat(query("expire=false").flag("expire", true)).isFalse();
        assertThat(form("expire=false").flag("expire", true)).isFalse();
        for (String bad : new String[] {"expire=no", "expire=", "expire", "expire=TRUE", "expire=1", "expire=true+"}) {
            assertThatThrownBy(() -> query(bad).flag("expire", true)).hasMessage("expire must be true or false");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exprie=true|unknown parameter exprie; did you mean expire? known are expire, topic, dryRun, stop",
                "dryrun=true|unknown parameter dryrun; did you mean dryRun? known are expire, topic, dryRun, stop",
                "jobId=20|unknown parameter jobId; known are expire, topic, dryRun, stop",
                "dryRun=true&dryRun=true|dryRun is given twice",
                "dryRun=true&dryRun=false|dryRun is given twice, with different values",
                "%64ryRun=true&dryRun=true|dryRun is given twice",
                "dryRun=%|malformed percent-encoding",
                "topic=%e8%ae|the bytes of the parameter topic are not UTF-8",
                "stop=false#&dryRun=true|# must be written as %23",
            })
    void isRefusedByNameInQueryAndForm(String pairs, String message) {
        assertThatThrownBy(() -> query(pairs)).hasMessage(message);
        assertThatThrownBy(() -> form(pairs)).hasMessage(message);
    }

    /** The HTTP decoder makes each byte of a request line one character. */
    @Test
    void rawBytesOfAQueryAreUtf8() {
        String raw = new String("topic=订单&dryRun=true".getBytes(UTF_8), ISO_8859_1);
        assertThat(query(raw).topic()).contains("订单");
        assertThat(query("topic=%E8%AE%A2" + raw.substring("topic=".length() + 3))
                        .topic())
                .contains("订单");
        assertThatThrownBy(() -> query("topic=\u00e9")).hasMessage("the query is not UTF-8 at byte 7");
    }

    @Test
    void onceInTheQueryAndOnceInTheFormIsTwice() {
        assertThatThrownBy(() -> Parameters.read(KNOWN, "topic=a", FORM, Buffer.buffer("topic=a")))
                .hasMessage("topic is given twice");
    }

    @Test
    void aLongNameIsCutOff() {
        assertThatThrownBy(() -> query("x".repeat(3000) + "=1"))
                .hasMessageStartingWith("unknown parameter " + "x".repeat(64) + "...; known are ");
    }

    /** Parameters beyond the number that the decoder would read. */
    @Test
    void noneOfManyIsPassedOver() {
        assertThatThrownBy(() -> query("stop=false&".repeat(40) + "dryRun=true"))
                .hasMessage("stop is given twice");
        assertThatThrownBy(() -> query("&".repeat(40) + "exprie=true"))
                .hasMessageStartingWith("unknown parameter exprie");
    }

    @Test
    void aTopicIsCheckedLikeThatOfAPush() {
        assertThat(query("").topic()).isEmpty();
        assertThat(query("topic=a%20b").topic()).hasValue("a b");
        assertThatThrownBy(() -> query("topic=").topic()).hasMessage("topic is empty; leave it out for all topics");
        assertThatThrownBy(() -> query("topic=+").topic()).hasMessage("topic is blank");
        assertThatThrownBy(() -> query("topic=a%0a").topic()).hasMessage("topic contains a control character");
        assertThatThrownBy(() -> query("topic=" + "x".repeat(129)).topic())
                .hasMessage("topic is longer than 128 characters");
    }

    @Test
    void whatHasNoEffectBesideAnotherIsRefused() {
        query("stop=true").requireAlone("stop");
        assertThatThrownBy(() -> query("stop=true&topic=a").requireAlone("stop"))
                .hasMessage("stop=true goes alone; leave out topic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "{}", " {} "})
    void aBodyThatSaysNothingIsPassedOver(String body) {
        assertThat(Parameters.read(KNOWN, null, "application/json", Buffer.buffer(body))
                        .flag("dryRun", false))
                .isFalse();
    }

    @Test
    void aBodyThatNobodyWouldReadIsRefused() {
        for (String type : new String[] {null, "text/plain", "application/json"}) {
            assertThatThrownBy(() -> Parameters.read(KNOWN, "expire=true", type, Buffer.buffer("{\"dryRun\":true}")))
                    .hasMessageStartingWith("this call reads no body; ");
        }
    }

    @Test
    void aCallWithFieldsInItsBodyHasNoParameters() {
        assertThatThrownBy(() -> Parameters.read(ParameterNames.NONE, "replace=true", null, Buffer.buffer("{}")))
                .hasMessage(
                        "unknown parameter replace; this call has no parameters, its fields stand in the JSON body");
        Parameters.read(ParameterNames.NONE, "", FORM, Buffer.buffer("{\"topic\":\"t\"}"));
    }

    @Test
    void aProbeMayBringWhatItLikes() {
        Parameters.read(ParameterNames.IGNORED, "_=1700000000&x=%zz&_=2#", "text/plain", Buffer.buffer("x"));
    }

    private static Parameters query(String pairs) {
        return Parameters.read(KNOWN, pairs, null, Buffer.buffer());
    }

    private static Parameters form(String pairs) {
        return Parameters.read(KNOWN, null, FORM, Buffer.buffer(pairs));
    }
}
