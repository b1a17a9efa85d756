package io.mykit.delay.lmstfy.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cuts the JSON array of a bulk publish into the source texts of its elements, byte by byte: blanks inside an element stay. It is as strict
 * as RFC 8259, but takes any bytes inside strings. For one thread.
 */
public final class JobArray {
    private static final int MAX_DEPTH = 1000;

    private final byte[] text;
    private final int most;
    private int at;

    private JobArray(byte[] text, int most) {
        this.text = text;
        this.most = most;
    }

    /**
     * Empty if the text is no array of JSON values.
     *
     * @param most elements that are copied; if there are more, the list has one more
     */
    public static Optional<List<byte[]>> split(byte[] text, int most) {
        JobArray array = new JobArray(text, most);
        try {
            return Optional.of(array.elements());
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private List<byte[]> elements() {
        List<byte[]> elements = new ArrayList<>();
        blanks();
        take('[');
        blanks();
        if (peek() == ']') {
            at++;
        } else {
            do {
                blanks();
                int from = at;
                value(0);
                if (elements.size() <= most) {
                    elements.add(Arrays.copyOfRange(text, from, at));
                }
                blanks();
            } while (more(']'));
        }
        blanks();
        require(at == text.length);
        return elements;
    }

    private void value(int depth) {
        require(depth < MAX_DEPTH);
        switch (peek()) {
            case '{' -> members(depth);
            case '[' -> items(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void members(int depth) {
        at++;
        blanks();
        if (peek() == '}') {
            at++;
            return;
        }
        do {
            blanks();
            string();
            blanks();
            take(':');
            blanks();
            value(depth + 1);
            blanks();
        } while (more('}'));
    }

    private void items(int depth) {
        at++;
        blanks();
        if (peek() == ']') {
            at++;
            return;
        }
        do {
            blanks();
            value(depth + 1);
            blanks();
        } while (more(']'));
    }

    private void string() {
        take('"');
        while (peek() != '"') {
            require((text[at] & 0xff) >= ' ');
            if (text[at++] == '\\') {
                escape();
            }
        }
        at++;
    }

    private void escape() {
        byte kind = peek();
        at++;
        if (kind == 'u') {
            for (int i = 0; i < 4; i++) {
                require(Character.digit(peek(), 16) >= 0);
                at++;
            }
        } else {
            require("\"\\/bfnrt".indexOf(kind) >= 0);
        }
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (at < text.length && text[at] == '.') {
            at++;
            digits();
        }
        if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        int from = at;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        require(at > from);
    }

    private void word(String expected) {
        for (int i = 0; i < expected.length(); i++) {
            take(expected.charAt(i));
        }
    }

    /** Whether a comma follows, and not the end. */
    private boolean more(char end) {
        byte next = peek();
        at++;
        require(next == ',' || next == end);
        return next == ',';
    }

    private void blanks() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) {
            at++;
        }
    }

    private byte peek() {
        require(at < text.length);
        return text[at];
    }

    private void take(char expected) {
        require(peek() == expected);
        at++;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new Malformed();
        }
    }

    private static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed() {
            super("no JSON array", null, false, false);
        }
    }
}
