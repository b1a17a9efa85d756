package io.mykit.delay.queue.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsJsonTest {
    private static final String TEXT = "\u4e2d \uD83D\uDE00 \\ \" ' / \u0085 \u2028 </script>";

    @Test
    void writesNothingForNothing() {
        assertThat(OptionsJson.write(MessageExtras.NONE)).isNull();
        assertThat(OptionsJson.read(false, null, 0)).isSameAs(MessageExtras.NONE);
        MessageExtras bytes = ExtrasBuilder.extras().binary(true).firstDue(7).build();
        assertThat(OptionsJson.write(bytes)).isNull();
        assertThat(OptionsJson.read(true, null, 7)).isEqualTo(bytes);
    }

    @Test
    void hasTheNamesOfAPush() {
        RetryOptions retry = new RetryOptions(6, 1000L, 1.5, 60_000L, null, 0.25);
        MessageExtras extras = ExtrasBuilder.extras()
                .headers(Map.of("b", "2", "a", "1"))
                .retry(retry)
                .ttr(60_000)
                .target(Map.of("url", "u"))
                .build();
        assertThat(OptionsJson.write(extras))
                .isEqualTo(
                        "{\"headers\":{\"a\":\"1\",\"b\":\"2\"},\"retry\":{\"maxAttempts\":6,\"interval\":1000,"
                                + "\"multiplier\":1.5,\"maxInterval\":60000,\"jitter\":0.25},\"ttr\":60000,\"target\":{\"url\":\"u\"}}");
        assertRoundTrip(extras);
    }

    @Test
    void keepsEveryValue() {
        assertRoundTrip(ExtrasBuilder.extras()
                .binary(true)
                .headers(Map.of("a", TEXT, "b", ""))
                .target(Map.of(TEXT, TEXT, "", "null"))
                .firstDue(5)
                .build());
        for (double factor : new double[] {0, 1, 10, 0.1, 1e-300, 1.0 / 3}) {
            assertRoundTrip(retry(new RetryOptions(0, 0L, factor, Long.MAX_VALUE, null, factor)));
        }
        assertRoundTrip(retry(new RetryOptions(null, null, null, null, List.of(0L, 1L, 2_592_000_000L), null)));
        assertRoundTrip(retry(new RetryOptions(Integer.MAX_VALUE, null, null, null, null, null)));
    }

    /** They are no part of a message that people or consumers see. */
    @Test
    void theTableAloneHasTheIdempotencyKeys() {
        List<String> keys = List.of("k2", "\"k1\"");
        MessageExtras extras = ExtrasBuilder.extras().ttr(5).keys(keys).build();
        assertRoundTrip(extras);
        assertRoundTrip(
                ExtrasBuilder.extras().binary(true).firstDue(7).keys(keys).build());
        assertThat(OptionsJson.map(extras)).containsOnlyKeys("ttr");
    }

    @Test
    void peopleSeeTheIdOfTheRequest() {
        MessageExtras extras = ExtrasBuilder.extras()
                .ttr(5)
                .requestId("a\"b\\c")
                .keys(List.of("k"))
                .build();
        assertRoundTrip(extras);
        assertThat(OptionsJson.map(extras)).containsOnlyKeys("ttr", "requestId").containsEntry("requestId", "a\"b\\c");
    }

    @Test
    void passesOverNamesOfNewerNodes() {
        assertThat(OptionsJson.read(false, "{\"ttr\":5,\"shape\":{\"a\":[1]},\"retry\":{\"spread\":1}}", 0))
                .isEqualTo(ExtrasBuilder.extras().ttr(5).build());
    }

    @Test
    void refusesOtherTexts() {
        for (String text : List.of("text", "{\"ttr\":[]}")) {
            assertThatThrownBy(() -> OptionsJson.read(false, text, 0))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the stored options of a message are malformed");
        }
    }

    private static MessageExtras retry(RetryOptions retry) {
        return ExtrasBuilder.extras().retry(retry).build();
    }

    private static void assertRoundTrip(MessageExtras extras) {
        assertThat(OptionsJson.read(extras.binary(), OptionsJson.write(extras), extras.firstDueMs()))
                .isEqualTo(extras);
    }
}
