package io.mykit.delay.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/** The text is not JSON. The message names the error and its position; a caller may see it. */
public final class JsonSyntaxException extends DelayException {
    private static final long serialVersionUID = 1L;

    /** The begin of the parser's message about an early end, in each of its exceptions. */
    private static final String END = "Unexpected end-of-input";

    /** The part of the parser's message that is for programmers: its lenient features, and the source. */
    private static final Pattern ASIDE =
            Pattern.compile("(: (?!was expecting)| \\((start marker|consider) ).*", Pattern.DOTALL);

    /** @param at null if unknown */
    JsonSyntaxException(String what, JsonLocation at) {
        super(ErrorCode.INVALID_REQUEST, "malformed JSON: " + what + position(at));
    }

    static JsonSyntaxException of(IOException malformed, int maxDepth) {
        if (!(malformed instanceof JsonProcessingException known)) {
            throw new UncheckedIOException(malformed);
        }
        return new JsonSyntaxException(what(known, maxDepth), known.getLocation());
    }

    private static String what(JsonProcessingException malformed, int maxDepth) {
        if (malformed instanceof StreamConstraintsException) {
            return "nested deeper than " + maxDepth;
        }
        if (malformed.getOriginalMessage().startsWith(END)) {
            return "unexpected end";
        }
        String what = ASIDE.matcher(malformed.getOriginalMessage()).replaceFirst("");
        return Character.toLowerCase(what.charAt(0)) + what.substring(1);
    }

    private static String position(JsonLocation at) {
        return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }
}
