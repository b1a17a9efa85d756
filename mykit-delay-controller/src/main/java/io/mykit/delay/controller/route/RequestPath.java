package io.mykit.delay.controller.route;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.json.Utf8;
import io.netty.handler.codec.http.QueryStringDecoder;

/**
 * The decoded path of a request. It remembers which slashes were written as slashes: a slash that was written {@code %2F}
 * belongs to its segment. Immutable.
 */
final class RequestPath {
    private final String raw;
    private final String text;

    /** @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST if it cannot be decoded */
    RequestPath(String raw) {
        this.raw = Utf8.ofUrl("path", raw);
        this.text = isEscaped() ? decode(this.raw) : this.raw;
    }

    /** The whole path. A slash in it may have either origin. */
    String text() {
        return text;
    }

    /** The end of the segment that contains the character at {@code from}, or that begins there. */
    int segmentEnd(int from) {
        if (!isEscaped()) {
            int slash = text.indexOf('/', from);
            return slash < 0 ? text.length() : slash;
        }
        int end = -1;
        int rawFrom = 0;
        while (end < from) {
            int slash = raw.indexOf('/', rawFrom);
            if (slash < 0) {
                return text.length();
            }
            end += decode(raw.substring(rawFrom, slash)).length() + 1;
            rawFrom = slash + 1;
        }
        return end;
    }

    private boolean isEscaped() {
        return raw.indexOf('%') >= 0;
    }

    private static String decode(String raw) {
        if (raw.indexOf('#') >= 0) {
            // The decoder would cut off the path there.
            throw FieldRules.invalid("# must be written as %23");
        }
        try {
            return Utf8.checked("path", new QueryStringDecoder(raw).path());
        } catch (IllegalArgumentException badEscape) {
            throw FieldRules.invalid("malformed percent-encoding");
        }
    }
}
