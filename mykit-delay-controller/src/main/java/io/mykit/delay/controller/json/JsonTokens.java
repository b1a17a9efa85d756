package io.mykit.delay.controller.json;

/** The tokens of a JSON text and the offset behind the last one; white space after a token is passed with it. */
final class JsonTokens {
    final String text;
    int at;

    JsonTokens(String text) {
        this.text = text;
        if (text.startsWith("\uFEFF")) {
            throw new JsonSyntaxException("byte order mark", 0);
        }
        skipSpace();
    }

    /** The kind of the next value. */
    JsonReader.Kind peek() {
        return switch (current()) {
            case '{' -> JsonReader.Kind.OBJECT;
            case '[' -> JsonReader.Kind.ARRAY;
            case '"' -> JsonReader.Kind.STRING;
            case 't', 'f' -> JsonReader.Kind.BOOLEAN;
            case 'n' -> JsonReader.Kind.NULL;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> JsonReader.Kind.NUMBER;
            default -> throw expected("a value");
        };
    }

    /** A string, unescaped. Surrogates may be unpaired: the caller has to look. */
    String string() {
        if (current() != '"') {
            throw expected("'\"'");
        }
        int start = ++at;
        while (true) {
            char c = inString();
            if (c == '"') {
                String plain = text.substring(start, at++);
                skipSpace();
                return plain;
            }
            if (c == '\\') {
                return escaped(start);
            }
            at++;
        }
    }

    boolean bool() {
        boolean value = current() == 't';
        literal(value ? "true" : "false");
        return value;
    }

    void nullValue() {
        literal("null");
    }

    /** A number's text as it stands there. */
    String number() {
        int start = at;
        skipHere('-');
        if (!skipHere('0')) {
            digits();
        }
        if (skipHere('.')) {
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (!skipHere('+')) {
                skipHere('-');
            }
            digits();
        }
        String number = text.substring(start, at);
        skipSpace();
        return number;
    }

    private String escaped(int start) {
        StringBuilder value = new StringBuilder(text.length() - start > 256 ? 256 : 64).append(text, start, at);
        while (true) {
            char c = inString();
            at++;
            if (c == '"') {
                skipSpace();
                return value.toString();
            }
            value.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = current();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex4();
            default -> throw new JsonSyntaxException("unknown escape", at - 2);
        };
    }

    private char hex4() {
        int value = 0;
        for (int i = 0; i < 4; i++, at++) {
            char c = current();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw expected("a hexadecimal digit");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }

    private char inString() {
        char c = current();
        if (c < ' ') {
            throw new JsonSyntaxException("unescaped control character", at);
        }
        return c;
    }

    String identifier() {
        int start = at;
        while (at < text.length() && isNamePart(text.charAt(at), at > start)) {
            at++;
        }
        if (at == start) {
            throw expected("a field name");
        }
        String name = text.substring(start, at);
        skipSpace();
        return name;
    }

    private static boolean isNamePart(char c, boolean digitsToo) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == '$'
                || (digitsToo && c >= '0' && c <= '9');
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw expected("a digit");
        }
    }

    private void literal(String word) {
        if (!text.startsWith(word, at)) {
            throw expected("a value");
        }
        at += word.length();
        skipSpace();
    }

    void take(char c, String what) {
        if (!skipIf(c)) {
            throw expected(what);
        }
    }

    boolean skipIf(char c) {
        boolean there = skipHere(c);
        if (there) {
            skipSpace();
        }
        return there;
    }

    private boolean skipHere(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        if (there) {
            at++;
        }
        return there;
    }

    private char current() {
        if (at >= text.length()) {
            throw new JsonSyntaxException("unexpected end", at);
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    JsonSyntaxException expected(String what) {
        return new JsonSyntaxException(at >= text.length() ? "unexpected end" : "expected " + what, at);
    }

    boolean startsString() {
        return current() == '"';
    }

    /** Passes the bracket that {@link #peek} saw. */
    void open() {
        at++;
        skipSpace();
    }

    /** Passes the bracket that {@link #closes} saw; returns the offset behind it. */
    int close() {
        int end = ++at;
        skipSpace();
        return end;
    }

    boolean closes(boolean object) {
        return at < text.length() && text.charAt(at) == (object ? '}' : ']');
    }

    /** The offset behind the last token, before the space after it. */
    int lastEnd() {
        int end = at;
        while (end > 0 && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }
}
