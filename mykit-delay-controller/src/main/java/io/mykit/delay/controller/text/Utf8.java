package io.mykit.delay.controller.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/** Decodes UTF-8 strictly: it refuses overlong forms and encoded surrogates. Stateless. */
public final class Utf8 {
    private Utf8() {}

    /**
     * The characters of the first bytes of an array.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    public static CharBuffer decode(byte[] bytes) {
        char[] chars = new char[bytes.length];
        int ascii = 0;
        while (ascii < bytes.length && bytes[ascii] >= 0) {
            chars[ascii] = (char) bytes[ascii];
            ascii++;
        }
        CharBuffer out = CharBuffer.wrap(chars).position(ascii);
        return ascii == bytes.length
                ? out.flip()
                : decodeRest(ByteBuffer.wrap(bytes).position(ascii), out);
    }

    private static CharBuffer decodeRest(ByteBuffer in, CharBuffer out) {
        CoderResult result = UTF_8.newDecoder().decode(in, out, true);
        if (result.isError()) {
            throw FieldRules.invalid("the body is not UTF-8 at byte " + (in.position() + 1));
        }
        return out.flip();
    }
}
