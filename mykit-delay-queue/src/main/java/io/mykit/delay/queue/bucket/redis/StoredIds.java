package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.Crockford;
import io.mykit.delay.queue.redis.Replies;
import java.nio.ByteBuffer;

/**
 * Ids as they are in Redis, where each waiting message has its own twice. An id is its UTF-8; but the 94 bits of one that
 * {@link io.mykit.delay.common.message.MessageIds} made before the year 2109 are 12 bytes instead of 20: the bits 10, 54
 * bits of time and counter, 40 of the process. No text's UTF-8 begins with the bits 10, so no two ids share their bytes;
 * and generated ids sort as before. Stateless.
 */
public final class StoredIds {
    private static final int TEXT_LENGTH = 20;
    private static final int STAMP_DIGITS = 12;
    private static final int NODE_DIGITS = 8;
    private static final int COUNTER_BITS = 12;
    private static final long MAX_STAMP = (1L << 54) - 1;
    private static final long MARK = 2L << 54;

    private static final int PACKED_LENGTH = 12;
    private static final int STAMP_BYTES = 7;

    private StoredIds() {}

    static byte[] bytes(String id) {
        long stamp = stamp(id);
        if (stamp < 0) {
            return Replies.bytes(id);
        }
        return ByteBuffer.allocate(PACKED_LENGTH)
                .putInt((int) ((MARK | stamp) >>> 24))
                .putLong(((MARK | stamp) << 40) | Crockford.read(id, STAMP_DIGITS, NODE_DIGITS))
                .array();
    }

    /** When an id was generated, epoch milliseconds; -1 if it was not. */
    static long generatedMs(String id) {
        return stamp(id) >> COUNTER_BITS;
    }

    /** Time and counter of a generated id; -1 if it was not. */
    private static long stamp(String id) {
        if (id.length() != TEXT_LENGTH || Crockford.read(id, STAMP_DIGITS, NODE_DIGITS) < 0) {
            return -1;
        }
        long stamp = Crockford.read(id, 0, STAMP_DIGITS);
        return stamp > MAX_STAMP ? -1 : stamp;
    }

    public static String text(Object reply) {
        byte[] bytes = (byte[]) reply;
        if (bytes.length != PACKED_LENGTH || (bytes[0] & 0xc0) != 0x80) {
            return Replies.text(bytes);
        }
        ByteBuffer packed = ByteBuffer.wrap(bytes);
        char[] id = new char[TEXT_LENGTH];
        Crockford.write((packed.getLong(0) >>> (Long.SIZE - 8 * STAMP_BYTES)) & MAX_STAMP, id, 0, STAMP_DIGITS);
        Crockford.write(packed.getLong(PACKED_LENGTH - Long.BYTES), id, STAMP_DIGITS, NODE_DIGITS);
        return new String(id);
    }
}
