package io.mykit.delay.queue.store.mybatis;

/** The range of texts that begin with a text, in the order of their code points: that of UTF-8, which all databases have here. Stateless. */
final class Prefix {
    private Prefix() {}

    /**
     * The first text behind those that begin with the prefix: its last character that has a next one is replaced by that one, and what
     * follows is left out. So wildcards of LIKE mean nothing, and the range is one of the index.
     *
     * @return null if no text is behind them
     */
    static String end(String prefix) {
        int length = prefix.length();
        while (length > 0) {
            int last = prefix.codePointBefore(length);
            length -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                return prefix.substring(0, length) + Character.toString(next(last));
            }
        }
        return null;
    }

    /** Surrogates are no characters, and no database keeps them. */
    private static int next(int codePoint) {
        return codePoint == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : codePoint + 1;
    }
}
