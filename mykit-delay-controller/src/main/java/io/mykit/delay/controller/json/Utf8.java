package io.mykit.delay.controller.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/** Strict UTF-8. */
public final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * The text of these bytes.
     *
     * @throws JsonSyntaxException if they are not UTF-8
     */
    public static String decode(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        // The intrinsic decoder is the fast one but replaces what is malformed. Only a text with a replacement
        // character can have been malformed, and that is rare enough to look twice.
        if (text.indexOf(REPLACEMENT) >= 0) {
            refuseMalformed(bytes);
        }
        return text;
    }

    /** The length of this text in UTF-8 bytes. */
    public static long length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800 || Character.isSurrogate(c)) {
                // A surrogate is half of a pair of four bytes.
                bytes += 2;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    private static void refuseMalformed(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = UTF_8.newDecoder().decode(in, CharBuffer.allocate(bytes.length), true);
        if (result.isError()) {
            throw new JsonSyntaxException("not UTF-8 at byte " + (in.position() + 1));
        }
    }
}
