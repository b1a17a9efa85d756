package io.mykit.delay.controller.text;

/** Text of a client as one line of a log, so that the client cannot begin a line of its own. Stateless. */
public final class OneLine {
    private OneLine() {}

    /** @param limit the maximum of characters; the rest is cut off */
    public static String of(String text, int limit) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit));
        for (int i = 0; i < text.length() && i < limit; i++) {
            char c = text.charAt(i);
            boolean odd = Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || c == '\u2028'
                    || c == '\u2029';
            line.append(odd ? '?' : c);
        }
        return line.toString();
    }
}
