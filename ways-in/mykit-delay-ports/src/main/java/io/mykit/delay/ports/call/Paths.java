package io.mykit.delay.ports.call;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads the path of a request. Percent signs are decoded before the path is split. Stateless. */
public final class Paths {
    private static final int HEX = 16;

    private Paths() {}

    /**
     * The parts of a path. A slash at the end does not count.
     *
     * @param raw as it was sent; each character is a byte
     * @return empty if a percent sign has no two digits of base 16 behind it
     */
    public static Optional<List<String>> parts(String raw) {
        return decoded(raw, false).map(path -> {
            String whole = path.startsWith("/") ? path.substring(1) : path;
            String inner = whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole;
            return List.of(inner.split("/", -1));
        });
    }

    /**
     * Whether a path has a form.
     *
     * @param form such as {@code token/*}; a star stands for any part that is not empty
     * @param parts of the path
     */
    public static boolean match(String form, List<String> parts) {
        int at = 0;
        for (String part : parts) {
            if (at > form.length()) {
                return false;
            }
            int slash = form.indexOf('/', at);
            int end = slash < 0 ? form.length() : slash;
            boolean star = end == at + 1 && form.charAt(at) == '*';
            if (star ? part.isEmpty() : part.length() != end - at || !form.startsWith(part, at)) {
                return false;
            }
            at = end + 1;
        }
        return at > form.length();
    }

    /** The text that the bytes of a part of a URL mean; a byte that is no UTF-8 becomes a replacement character. */
    static Optional<String> decoded(String raw, boolean plusIsBlank) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char at = raw.charAt(i);
            if (at == '%') {
                if (i + 2 >= raw.length() || digit(raw, i + 1) < 0 || digit(raw, i + 2) < 0) {
                    return Optional.empty();
                }
                bytes.write(digit(raw, i + 1) * HEX + digit(raw, i + 2));
                i += 2;
            } else {
                bytes.write(plusIsBlank && at == '+' ? ' ' : at);
            }
        }
        return Optional.of(bytes.toString(StandardCharsets.UTF_8));
    }

    private static int digit(String raw, int at) {
        char character = raw.charAt(at);
        return character < 128 ? Character.digit(character, HEX) : -1;
    }
}
