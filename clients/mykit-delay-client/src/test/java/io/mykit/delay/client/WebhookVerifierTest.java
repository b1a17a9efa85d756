package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.standardwebhooks.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookVerifierTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER =
            "whsec_" + Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(UTF_8));
    private static final long TIME = 1_800_000_000;
    private static final String BODY = "{\"order\":7}";
    private static final String SIGNATURE = "v1,3YRzr2u3q2YJTxMk0krsWlFS5+0QOKVVXL90SU6Cdyc=";

    private final WebhookVerifier verifier = WebhookVerifier.of(SECRET).at(at(TIME));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "msg_p5jXN8AQM9LWM0D4loKWxJek | 1614265330 | {\"test\": 2432232314} |"
                        + " v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                "20              | 1800000000 | {\"order\":7} | v1,3YRzr2u3q2YJTxMk0krsWlFS5+0QOKVVXL90SU6Cdyc=",
                "b64_b3JkZXIuMjA | 1800000000 | {\"order\":7} | v1,PmI6jbd+7gii6osBx+wyMVf7DkjXk8Fweu65gi/tIxo="
            })
    void thePublishedVectorsAreGenuine(String id, long timestamp, String body, String signature) {
        WebhookVerifier then = WebhookVerifier.of(SECRET).at(at(timestamp));
        assertThat(then.isGenuine(id, Long.toString(timestamp), signature, body.getBytes(UTF_8)))
                .isTrue();
        assertThat(then.isGenuine(id + "1", Long.toString(timestamp), signature, body.getBytes(UTF_8)))
                .isFalse();
        assertThat(then.isGenuine(id, Long.toString(timestamp + 1), signature, body.getBytes(UTF_8)))
                .isFalse();
        assertThat(then.isGenuine(id, Long.toString(timestamp), signature, (body + " ").getBytes(UTF_8)))
                .isFalse();
    }

    @Test
    void signaturesOfTheReferenceLibraryAreGenuine() throws Exception {
        String signature = new Webhook(OTHER).sign("id-1", TIME, "{\"größe\": 7}");
        WebhookVerifier other = WebhookVerifier.of(OTHER).at(at(TIME));
        assertThat(other.isGenuine("id-1", Long.toString(TIME), signature, "{\"größe\": 7}".getBytes(UTF_8)))
                .isTrue();
    }

    @Test
    void oneOfSeveralSignaturesAndSecretsIsEnough() throws Exception {
        String foreign = new Webhook(OTHER).sign("20", TIME, BODY);
        assertThat(isGenuine(verifier, foreign)).isFalse();
        assertThat(isGenuine(verifier, foreign + " " + SIGNATURE)).isTrue();
        assertThat(isGenuine(verifier, "v1a,abc v2,def  " + SIGNATURE)).isTrue();
        WebhookVerifier rotation = WebhookVerifier.of(OTHER, SECRET).at(at(TIME));
        assertThat(isGenuine(rotation, SIGNATURE)).isTrue();
        assertThat(isGenuine(rotation, foreign)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "v1,", "v1", "v2,3YRzr2u3q2YJTxMk0krsWlFS5+0QOKVVXL90SU6Cdyc=", "v1,订"})
    void otherSignaturesAreNot(String signature) {
        assertThat(isGenuine(verifier, signature)).isFalse();
        assertThat(isGenuine(verifier, SIGNATURE.substring(0, SIGNATURE.length() - 1)))
                .isFalse();
    }

    @Test
    void aRequestIsYoungerThanTheTolerance() {
        assertThat(isGenuine(verifier.at(at(TIME + 300)), SIGNATURE)).isTrue();
        assertThat(isGenuine(verifier.at(at(TIME + 301)), SIGNATURE)).isFalse();
        assertThat(isGenuine(verifier.at(at(TIME - 300)), SIGNATURE)).isTrue();
        assertThat(isGenuine(verifier.at(at(TIME - 301)), SIGNATURE)).isFalse();
        assertThat(isGenuine(verifier.tolerance(Duration.ofHours(1)).at(at(TIME + 3600)), SIGNATURE))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1800000000", "1800000000.0", "18e8", "１８００００００００", "9999999999999999999", "now"})
    void aTimestampIsDecimalDigits(String timestamp) {
        assertThat(verifier.isGenuine("20", timestamp, SIGNATURE, BODY.getBytes(UTF_8)))
                .isFalse();
    }

    @Test
    void eachOfTheThreeHeadersIsRequired() {
        Map<String, String> headers =
                Map.of("webhook-id", "20", "webhook-timestamp", Long.toString(TIME), "webhook-signature", SIGNATURE);
        assertThat(verifier.isGenuine(headers::get, BODY.getBytes(UTF_8))).isTrue();
        for (String name : headers.keySet()) {
            Map<String, String> fewer = new HashMap<>(headers);
            fewer.remove(name);
            assertThat(verifier.isGenuine(fewer::get, BODY.getBytes(UTF_8)))
                    .as("without " + name)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "whsec_",
                "whsec_!!!",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            })
    void aSecretOfAnotherFormIsRefusedAndNotShown(String secret) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookVerifier.of(secret))
                .withMessage("a secret is whsec_ and Base64")
                .withNoCause();
        assertThatIllegalArgumentException().isThrownBy(WebhookVerifier::of);
    }

    private static boolean isGenuine(WebhookVerifier verifier, String signatures) {
        return verifier.isGenuine("20", Long.toString(TIME), signatures, BODY.getBytes(UTF_8));
    }

    private static InstantSource at(long seconds) {
        return InstantSource.fixed(Instant.ofEpochSecond(seconds));
    }
}
