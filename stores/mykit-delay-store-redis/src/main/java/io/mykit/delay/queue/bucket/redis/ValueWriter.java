package io.mykit.delay.queue.bucket.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a pool value. Numbers are varints as in protocol buffers (least significant seven bits first). One thread uses it.
 */
final class ValueWriter extends ByteArrayOutputStream {
    ValueWriter(int size) {
        super(size);
    }

    void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        write((int) left);
    }

    void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    /** Writes the length in bytes, then the UTF-8. */
    void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        writeBytes(bytes);
    }
}
