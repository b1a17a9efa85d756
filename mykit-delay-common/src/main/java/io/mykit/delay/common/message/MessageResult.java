package io.mykit.delay.common.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;

/**
 * The result with which a message finished: a text, or bytes. Immutable.
 *
 * @param text the text itself, or the Base64 of the bytes
 * @param binary whether the result is bytes
 */
public record MessageResult(String text, boolean binary) {
    /** Bytes as a text if they are UTF-8. */
    public static MessageResult ofBytes(byte[] bytes) {
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new MessageResult(text, false);
        } catch (CharacterCodingException noText) {
            return new MessageResult(Base64.getEncoder().encodeToString(bytes), true);
        }
    }

    /** Whether it has more than {@link MessageLimits#MAX_RESULT_BYTES} bytes. */
    public boolean isTooLarge() {
        return bytes() > MessageLimits.MAX_RESULT_BYTES;
    }

    private int bytes() {
        return binary ? Base64.getDecoder().decode(text).length : text.getBytes(UTF_8).length;
    }
}
