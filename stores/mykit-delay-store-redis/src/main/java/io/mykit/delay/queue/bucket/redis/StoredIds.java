package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.Crockford;
import io.mykit.delay.queue.redis.Replies;
import java.nio.ByteBuffer;

/**
 * The codec of ids in Redis, where each waiting message has its id twice. An id is its UTF-8, with one exception. An id
 * that {@link io.mykit.delay.common.message.MessageIds} generated, before the year 2109, has 94 bits, and takes 12 bytes
 * instead of 20: the bits 10, 54 bits of time and counter, 40 bits of the process.
 *
 * <p>No UTF-8 text begins with the bits 10, so two ids never share their bytes. Generated ids keep their order. Stateless.
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

    /** The time at which the id was generated, epoch milliseconds; -1 if it was not generated. */
    static long generatedMs(String id) {
        return stamp(id) >> COUNTER_BITS;
    }

    /** Time and counter of a generated id; -1 if it was not generated. */
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
