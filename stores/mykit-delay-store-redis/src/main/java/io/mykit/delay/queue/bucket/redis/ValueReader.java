package io.mykit.delay.queue.bucket.redis;

import java.nio.charset.StandardCharsets;

/**
 * Reads a value of {@link ValueWriter}. It throws IndexOutOfBoundsException if the value ends too early. One thread uses
 * it.
 */
final class ValueReader {
    private final byte[] bytes;
    private int at;

    ValueReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int next() {
        return bytes[at++];
    }

    long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int b = next();
            value |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    String text() {
        long length = varint();
        if (length < 0 || length > bytes.length - at) {
            throw new IndexOutOfBoundsException("length " + length);
        }
        String text = new String(bytes, at, (int) length, StandardCharsets.UTF_8);
        at += (int) length;
        return text;
    }

    String rest() {
        return new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
    }

    /** @param spare whether the text has one character less than so many bytes can hold */
    String restOfSevenBits(boolean spare) {
        int characters = SevenBits.capacity(bytes.length - at) - (spare ? 1 : 0);
        return new String(SevenBits.unpack(bytes, at, characters), StandardCharsets.US_ASCII);
    }
}
