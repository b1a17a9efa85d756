package io.mykit.delay.common.text;

import java.util.Locale;

/**
 * Text of a client as one line of a log, so that the client cannot begin a line of its own. A character that is not seen, or that
 * changes the order of others, is written by its code, as the console does: so two names that look the same are told apart. Stateless.
 */
public final class OneLine {
    private OneLine() {}

    /** @param limit the maximum of characters of the text; the rest is cut off */
    public static String of(String text, int limit) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit));
        for (int i = 0; i < text.length() && i < limit; i++) {
            char c = text.charAt(i);
            if (isUnseen(c)) {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    private static boolean isUnseen(char c) {
        return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == '\u2028' || c == '\u2029';
    }
}
