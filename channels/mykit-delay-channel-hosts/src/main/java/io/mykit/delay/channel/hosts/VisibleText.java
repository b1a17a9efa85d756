package io.mykit.delay.channel.hosts;

import java.util.Locale;

/** Makes one line for the flow log of a text that a receiver wrote. Stateless. */
public final class VisibleText {
    private static final int MAX_CHARACTERS = 200;

    private VisibleText() {}

    /** The begin of a text, where each character that has no shape is written as in Java. */
    public static String of(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            String shown = shown(character);
            if (line.length() + shown.length() > MAX_CHARACTERS) {
                break;
            }
            line.append(shown);
            i += Character.charCount(character);
        }
        return line.toString();
    }

    private static String shown(int character) {
        return switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                switch (Character.getType(character)) {
                    case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                        String.format(Locale.ROOT, "\\u%04x", character);
                    default -> Character.toString(character);
                };
        };
    }
}
