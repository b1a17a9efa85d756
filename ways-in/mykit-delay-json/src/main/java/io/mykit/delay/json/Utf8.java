package io.mykit.delay.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.FieldRules;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/** Decodes UTF-8 strictly: it refuses overlong forms and encoded surrogates. Stateless. */
public final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * The characters of a body.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    public static CharBuffer decode(byte[] bytes) {
        return decode("body", bytes);
    }

    /**
     * A part of a URL, with the characters that its raw bytes mean. Programs such as curl send a URL as it was typed, in UTF-8 and
     * without percent signs, and the HTTP decoder makes each byte one character.
     *
     * @param part of the URL, for the error
     * @param raw null = none
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    public static String ofUrl(String part, String raw) {
        return raw == null || raw.chars().allMatch(character -> character < 0x80)
                ? raw
                : decode(part, raw.getBytes(ISO_8859_1)).toString();
    }

    /**
     * Checks a text that a decoder of percent signs made, which writes a replacement character where the bytes mean none.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    public static String checked(String part, String decoded) {
        if (decoded.indexOf(REPLACEMENT) >= 0) {
            throw FieldRules.invalid("the bytes of the " + part + " are not UTF-8");
        }
        return decoded;
    }

    /**
     * A text.
     *
     * @param part for the error
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    public static String text(String part, byte[] bytes) {
        return decode(part, bytes).toString();
    }

    private static CharBuffer decode(String part, byte[] bytes) {
        char[] chars = new char[bytes.length];
        int ascii = 0;
        while (ascii < bytes.length && bytes[ascii] >= 0) {
            chars[ascii] = (char) bytes[ascii];
            ascii++;
        }
        CharBuffer out = CharBuffer.wrap(chars).position(ascii);
        return ascii == bytes.length
                ? out.flip()
                : decodeRest(part, ByteBuffer.wrap(bytes).position(ascii), out);
    }

    private static CharBuffer decodeRest(String part, ByteBuffer in, CharBuffer out) {
        CoderResult result = UTF_8.newDecoder().decode(in, out, true);
        if (result.isError()) {
            throw FieldRules.invalid("the " + part + " is not UTF-8 at byte " + (in.position() + 1));
        }
        return out.flip();
    }
}
