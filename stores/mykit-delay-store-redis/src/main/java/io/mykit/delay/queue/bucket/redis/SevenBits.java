package io.mykit.delay.queue.bucket.redis;

/** ASCII without the eighth bit of each byte, which is always 0: eight characters in seven bytes. Stateless. */
final class SevenBits {
    private SevenBits() {}

    static boolean fits(byte[] utf8) {
        for (byte b : utf8) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** The spare bits at the end are 0. */
    static byte[] pack(byte[] ascii) {
        byte[] packed = new byte[(ascii.length * 7 + 7) / 8];
        int bits = 0;
        int count = 0;
        int at = 0;
        for (byte b : ascii) {
            bits = (bits << 7) | b;
            count += 7;
            if (count >= 8) {
                count -= 8;
                packed[at++] = (byte) (bits >>> count);
            }
        }
        if (count > 0) {
            packed[at] = (byte) (bits << (8 - count));
        }
        return packed;
    }

    /**
     * The number of characters that so many bytes can hold. The real number may be one less, because seven characters need
     * as many bytes as eight.
     */
    static int capacity(int packedLength) {
        return (int) (packedLength * 8L / 7);
    }

    static byte[] unpack(byte[] packed, int from, int characters) {
        byte[] ascii = new byte[characters];
        int bits = 0;
        int count = 0;
        int at = from;
        for (int i = 0; i < characters; i++) {
            if (count < 7) {
                bits = (bits << 8) | (packed[at++] & 0xff);
                count += 8;
            }
            count -= 7;
            ascii[i] = (byte) ((bits >>> count) & 0x7f);
        }
        return ascii;
    }
}
