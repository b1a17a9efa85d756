package io.mykit.delay.common.text;

/**
 * The Levenshtein distance of two words: the number of characters to insert, delete or replace. Errors use it for "did you
 * mean". Stateless.
 */
public final class EditDistance {
    private EditDistance() {}

    /** The distance. It is symmetric, and 0 for equal words. */
    public static int between(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
