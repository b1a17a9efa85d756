package io.mykit.delay.channel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.mykit.delay.channel.hosts.HeaderText;
import java.net.http.HttpHeaders;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

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
    void signsAsThePublishedVectors(String id, long timestamp, String body, String signature) {
        assertThat(Signature.of(SECRET).sign(id, timestamp, body.getBytes(UTF_8)))
                .contains(signature);
    }

    @Test
    void theReferenceLibraryVerifiesEachSecret() {
        String other =
                "whsec_" + Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(UTF_8));
        long now = System.currentTimeMillis() / 1000;
        String body = "{\"größe\": 7}";
        String signed = Signature.of(SECRET + "  " + other)
                .sign("id-1", now, body.getBytes(UTF_8))
                .orElseThrow();
        HttpHeaders headers = HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of("id-1"),
                        "webhook-timestamp", List.of(Long.toString(now)),
                        "webhook-signature", List.of(signed)),
                (name, value) -> true);

        for (String secret : List.of(SECRET, other)) {
            assertThatCode(() -> new Webhook(secret).verify(body, headers)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> new Webhook(SECRET).verify(body + " ", headers))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void withoutASecretThereIsNoSignature() {
        assertThat(Signature.of(" ").sign("1", 2, new byte[0])).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_",
                "whsec_AAAA",
                "whsec_!!!",
                "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            })
    void aSecretOfAnotherFormIsRefusedAndNotShown(String secret) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Signature.of(secret))
                .withMessage("must be whsec_ and the Base64 of 24 to 64 bytes; several with blanks between");
    }

    @ParameterizedTest
    @CsvSource({
        "20, 20",
        "shop/20, shop/20",
        "a_b:c-d, a_b:c-d",
        "order.20, b64_b3JkZXIuMjA",
        "b64_x, b64_YjY0X3g",
        "訂, b64_6KiC"
    })
    void idsWithUnusualCharactersGoAsBase64(String id, String sent) {
        assertThat(HeaderText.id(id)).isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"abc-1.2/3 | abc-1.2/3", "a b | a%20b", "50% | 50%25", "é | %C3%A9", "😀 | %F0%9F%98%80"})
    void textsArePercentEncoded(String text, String sent) {
        assertThat(HeaderText.encoded(text)).isEqualTo(sent);
    }

    @Test
    void controlsNeverReachAHeader() {
        assertThat(HeaderText.encoded("a\r\nb\u0000")).isEqualTo("a%0D%0Ab%00");
        assertThat(HeaderText.ascii("Bearer 50% a\r\nb é")).isEqualTo("Bearer 50% a%0D%0Ab %C3%A9");
    }
}
