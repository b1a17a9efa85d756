package io.mykit.delay.channel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as Standard Webhooks defines it: HMAC-SHA256 over id, time and body, once for each secret. Immutable.
 */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "whsec_";
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;

    private final List<SecretKeySpec> keys;

    private Signature(List<SecretKeySpec> keys) {
        this.keys = keys;
    }

    /**
     * @param secrets with blanks between; empty = requests are not signed
     * @throws IllegalArgumentException if one has another form; the message continues a sentence and shows no secret
     */
    static Signature of(String secrets) {
        return new Signature(Arrays.stream(secrets.split("\\s+"))
                .filter(secret -> !secret.isEmpty())
                .map(Signature::key)
                .toList());
    }

    /** The value of {@code webhook-signature}; empty if there is no secret. */
    Optional<String> sign(String id, long timestamp, byte[] body) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
        return Optional.of(keys.stream()
                .map(key -> "v1," + Base64.getEncoder().encodeToString(mac(key, head, body)))
                .collect(Collectors.joining(" ")));
    }

    private static byte[] mac(SecretKeySpec key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(head);
            return mac.doFinal(body);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SecretKeySpec key(String secret) {
        byte[] bytes = secret.startsWith(PREFIX) ? decoded(secret.substring(PREFIX.length())) : new byte[0];
        if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("must be " + PREFIX + " and the Base64 of " + MIN_BYTES + " to "
                    + MAX_BYTES + " bytes; several with blanks between");
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
