package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/** Strict UTF-8: overlong forms and encoded surrogates are none. */
final class Utf8 {
    private Utf8() {}

    /**
     * The characters of these bytes, from the start of an array on.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST
     */
    static CharBuffer decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = UTF_8.newDecoder().decode(in, out, true);
        if (result.isError()) {
            throw FieldRules.invalid("the body is not UTF-8 at byte " + (in.position() + 1));
        }
        return out.flip();
    }
}
