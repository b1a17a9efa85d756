package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message as a pool value, small because a great many of them wait in memory. In order:
 *
 * <ol>
 *   <li>version, one byte: {@value #VERSION}
 *   <li>priority, one byte
 *   <li>topic: length in bytes, UTF-8 (first, because the scripts cut it out: {@code topic.lua})
 *   <li>creation time (ms), delay (ms), due time minus both (ms, zigzag; nearly always 0), ttl (s)
 *   <li>subtopic and business key: length in bytes, UTF-8
 *   <li>body: UTF-8, up to the end
 * </ol>
 *
 * <p>Numbers are varints as in protocol buffers (least significant seven bits first). The id is not in it: it is the
 * field's name. Stateless.
 */
final class MessageCodec {
    static final int VERSION = 1;

    private MessageCodec() {}

    static byte[] encode(DelayMessage message) {
        byte[] body = utf8(message.body());
        Output out = new Output(body.length + 64);
        out.write(VERSION);
        out.write(message.priority());
        out.text(message.topic());
        out.varint(message.createTimeMs());
        out.varint(message.delayMs());
        out.zigzag(message.dueTimeMs() - message.createTimeMs() - message.delayMs());
        out.varint(message.ttlSeconds());
        out.text(message.subtopic());
        out.text(message.bizKey());
        out.writeBytes(body);
        return out.toByteArray();
    }

    /** @throws IllegalArgumentException if the value is not one of ours, or of a version that is not known here */
    static DelayMessage decode(String id, byte[] value) {
        if (value.length == 0 || value[0] != VERSION) {
            throw new IllegalArgumentException("pool value of message " + id + " has the format version "
                    + (value.length == 0 ? "(none)" : Integer.toString(value[0] & 0xff)) + ", known is " + VERSION);
        }
        try {
            Input in = new Input(value);
            int priority = in.next();
            String topic = in.text();
            long createTimeMs = in.varint();
            long delayMs = in.varint();
            long dueTimeMs = createTimeMs + delayMs + in.zigzag();
            long ttlSeconds = in.varint();
            String subtopic = in.text();
            String bizKey = in.text();
            return new DelayMessage(
                    id, topic, subtopic, bizKey, in.rest(), delayMs, createTimeMs, dueTimeMs, priority, ttlSeconds);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("pool value of message " + id + " is cut off", e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class Output extends ByteArrayOutputStream {
        Output(int size) {
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

        void text(String text) {
            byte[] bytes = utf8(text);
            varint(bytes.length);
            writeBytes(bytes);
        }
    }

    private static final class Input {
        private final byte[] bytes;
        private int at = 1;

        Input(byte[] bytes) {
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
            return new String(Arrays.copyOfRange(bytes, at, bytes.length), StandardCharsets.UTF_8);
        }
    }
}
