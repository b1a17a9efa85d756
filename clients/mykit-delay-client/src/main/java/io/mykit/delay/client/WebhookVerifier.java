package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells the requests of the channel {@code webhook} from all others. The signature is that of
 * <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>. Immutable.
 *
 * <pre>{@code
 * WebhookVerifier verifier = WebhookVerifier.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
 * boolean genuine = verifier.isGenuine(request::getHeader, body);
 * }</pre>
 *
 * <p>The body has to be the bytes as they arrived. A receiver answers 401 to a request that is not genuine. A genuine request
 * may arrive twice, with the same {@code webhook-id}.
 */
public final class WebhookVerifier {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "whsec_";
    private static final String SCHEME = "v1,";
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final List<SecretKeySpec> keys;
    private final Duration tolerance;
    private final InstantSource clock;

    private WebhookVerifier(List<SecretKeySpec> keys, Duration tolerance, InstantSource clock) {
        this.keys = keys;
        this.tolerance = tolerance;
        this.clock = clock;
    }

    /**
     * @param secrets {@code whsec_} and Base64; during a rotation the old and the new one
     * @throws IllegalArgumentException if there is none, or one has another form; the message shows no secret
     */
    public static WebhookVerifier of(String... secrets) {
        if (secrets.length == 0) {
            throw new IllegalArgumentException("a secret is required");
        }
        return new WebhookVerifier(
                Arrays.stream(secrets).map(WebhookVerifier::key).toList(), TOLERANCE, InstantSource.system());
    }

    /** The same, with another bound for the age of a request, and for the difference of the clocks; 5 minutes by default. */
    public WebhookVerifier tolerance(Duration newTolerance) {
        return new WebhookVerifier(keys, newTolerance, clock);
    }

    WebhookVerifier at(InstantSource newClock) {
        return new WebhookVerifier(keys, tolerance, newClock);
    }

    /** @param header the value of a header by its name in small letters; null = the request has no such header */
    public boolean isGenuine(UnaryOperator<String> header, byte[] body) {
        return isGenuine(
                header.apply("webhook-id"), header.apply("webhook-timestamp"), header.apply("webhook-signature"), body);
    }

    /** The values of the three headers; null = the request has no such header. */
    public boolean isGenuine(String id, String timestamp, String signatures, byte[] body) {
        if (id == null || timestamp == null || signatures == null || !isRecent(timestamp)) {
            return false;
        }
        byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
        boolean genuine = false;
        for (SecretKeySpec key : keys) {
            byte[] expected = (SCHEME + Base64.getEncoder().encodeToString(mac(key, head, body))).getBytes(UTF_8);
            for (String signature : signatures.split(" ", -1)) {
                // No early end: the time of the comparison says nothing about the signature that is expected.
                genuine |= MessageDigest.isEqual(expected, signature.getBytes(UTF_8));
            }
        }
        return genuine;
    }

    private boolean isRecent(String timestamp) {
        if (!timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        long ageSeconds = clock.instant().getEpochSecond() - Long.parseLong(timestamp);
        return Math.abs(ageSeconds) <= tolerance.toSeconds();
    }

    private static byte[] mac(SecretKeySpec key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SecretKeySpec key(String secret) {
        try {
            if (secret.startsWith(PREFIX)) {
                return new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), ALGORITHM);
            }
        } catch (IllegalArgumentException notBase64OrEmpty) {
            // The cause would show the secret.
        }
        throw new IllegalArgumentException("a secret is " + PREFIX + " and Base64");
    }
}
