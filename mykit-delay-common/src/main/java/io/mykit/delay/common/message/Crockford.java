package io.mykit.delay.common.message;

/**
 * Crockford's base 32 (https://www.crockford.com/base32.html), capitals only. The texts sort in the order of their numbers.
 * Stateless.
 */
public final class Crockford {
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private Crockford() {}

    /** Returns the low {@code 5 * length} bits of a number as text. */
    public static void write(long value, char[] into, int offset, int length) {
        long left = value;
        for (int i = length - 1; i >= 0; i--) {
            into[offset + i] = ALPHABET.charAt((int) (left & 31));
            left >>>= 5;
        }
    }

    /** The number that at most 12 characters of a text stand for; -1 if a character is not in the alphabet. */
    public static long read(String text, int offset, int length) {
        long value = 0;
        for (int i = offset; i < offset + length; i++) {
            int digit = ALPHABET.indexOf(text.charAt(i));
            if (digit < 0) {
                return -1;
            }
            value = (value << 5) | digit;
        }
        return value;
    }
}
