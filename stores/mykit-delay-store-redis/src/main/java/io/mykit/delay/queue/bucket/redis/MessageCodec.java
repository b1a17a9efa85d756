package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.queue.options.OptionsJson;
import java.nio.charset.StandardCharsets;

/**
 * The codec of a message as a pool value. The value is small, because very many messages wait in memory. Its parts, in
 * order:
 *
 * <ol> <li>whether an attempt may have reached the receiver, in the highest bit of a byte; format in the three bits behind it, priority in
 * the lower half <li>flags, one byte: which of the following parts
 * exist, and how they are written <li>topic: length in bytes, UTF-8 (first, because the scripts cut it out: {@code
 * topic.lua}) <li>in the later formats, behind a flag: more flags, one byte <li>if it is not 0: the message's version
 * ({@code version.lua}) <li>in the third format, behind flags: options as {@link OptionsJson}, where the scripts keep how often consumers had
 * the message ({@code handed.lua}), due time before the first retry minus creation time (ms, zigzag) <li>creation time: ms since the id was generated, else since 2025 (zigzag) <li>delay: in ms, or in
 * s for whole seconds <li>if they are not 0: due time minus creation time and delay (ms, zigzag); ttl (s) <li>if they are
 * not empty: subtopic, business key <li>body, up to the end: UTF-8, or {@link SevenBits} for ASCII </ol>
 *
 * <p>The value does not contain the id: it is the name of the field. It does not contain what the row alone has: idempotency keys and the
 * id of the request ({@link MessageExtras#ofIndex}). Stateless.
 */
public final class MessageCodec {
    /** The first format, for messages with their first content. */
    static final int FORMAT_1 = 1;
    /**
     * The second format, with a second byte of flags. A node writes it only if it is needed, because older nodes cannot
     * read it.
     */
    static final int FORMAT_2 = 2;
    /** The third format, for messages with extras. It is written only for them, for the same reason. */
    static final int FORMAT_3 = 3;

    /** The scripts set this bit of the first byte ({@code attempted.lua}). */
    private static final int ATTEMPTED = 1 << 7;

    /** 2025-01-01: from there, times of this century take 6 bytes. */
    private static final long ORIGIN_MS = 1_735_689_600_000L;

    private static final int WHOLE_SECONDS = 1;
    private static final int SHIFTED = 1 << 1;
    private static final int TTL = 1 << 2;
    private static final int SUBTOPIC = 1 << 3;
    private static final int BIZ_KEY = 1 << 4;
    private static final int SEVEN_BITS = 1 << 5;
    private static final int SPARE = 1 << 6;
    private static final int MORE = 1 << 7;
    // The flags in the second byte of flags.
    private static final int VERSION = 1;
    private static final int BINARY = 1 << 1;
    private static final int OPTIONS = 1 << 2;
    private static final int FIRST_DUE = 1 << 3;

    private MessageCodec() {}

    /** @param attempted whether an attempt to deliver the message may have reached its receiver */
    static byte[] encode(DelayMessage message, boolean attempted) {
        byte[] value = encode(message);
        value[0] |= (byte) flag(ATTEMPTED, attempted);
        return value;
    }

    /** Whether an attempt to deliver the message of this pool value may have reached its receiver. */
    static boolean isAttempted(byte[] value) {
        return has(value[0], ATTEMPTED);
    }

    /** How often consumers had the message of this pool value under holds that have ended; 0 also if the value cannot be read. */
    static int handed(byte[] value) {
        int format = value.length < 2 ? -1 : (value[0] & 0x7f) >>> 4;
        if (format != FORMAT_3 || !has(value[1], MORE)) {
            return 0;
        }
        try {
            ValueReader in = new ValueReader(value);
            in.next();
            in.next();
            String unused = in.text();
            int moreFlags = in.next();
            if (has(moreFlags, VERSION)) {
                in.varint();
            }
            return has(moreFlags, OPTIONS) ? OptionsJson.handed(in.text()) : 0;
        } catch (IndexOutOfBoundsException e) {
            return 0;
        }
    }

    static byte[] encode(DelayMessage message) {
        byte[] body = message.body().getBytes(StandardCharsets.UTF_8);
        long shift = message.dueTimeMs() - message.createTimeMs() - message.delayMs();
        boolean wholeSeconds = message.delayMs() % 1000 == 0;
        boolean sevenBits = SevenBits.fits(body);
        MessageExtras extras = message.extras().ofIndex();
        int moreFlags = moreFlags(message.version(), extras);
        int flags = flag(WHOLE_SECONDS, wholeSeconds)
                | flag(SHIFTED, shift != 0)
                | flag(TTL, message.ttlSeconds() != 0)
                | flag(SUBTOPIC, !message.subtopic().isEmpty())
                | flag(BIZ_KEY, !message.bizKey().isEmpty())
                | flag(SEVEN_BITS, sevenBits)
                | flag(SPARE, sevenBits && body.length % 8 == 7)
                | flag(MORE, moreFlags != 0);
        ValueWriter out = new ValueWriter(body.length + 64);
        out.write((format(moreFlags) << 4) | message.priority());
        out.write(flags);
        out.text(message.topic());
        if (moreFlags != 0) {
            out.write(moreFlags);
            writeMore(message, extras, out);
        }
        out.zigzag(message.createTimeMs() - originMs(message.id()));
        out.varint(wholeSeconds ? message.delayMs() / 1000 : message.delayMs());
        if (shift != 0) {
            out.zigzag(shift);
        }
        if (message.ttlSeconds() != 0) {
            out.varint(message.ttlSeconds());
        }
        if (!message.subtopic().isEmpty()) {
            out.text(message.subtopic());
        }
        if (!message.bizKey().isEmpty()) {
            out.text(message.bizKey());
        }
        out.writeBytes(sevenBits ? SevenBits.pack(body) : body);
        return out.toByteArray();
    }

    private static int moreFlags(int version, MessageExtras extras) {
        return flag(VERSION, version != 0)
                | flag(BINARY, extras.binary())
                | flag(OPTIONS, !extras.hasNoOptions())
                | flag(FIRST_DUE, extras.firstDueMs() != 0);
    }

    private static int format(int moreFlags) {
        if (moreFlags == 0) {
            return FORMAT_1;
        }
        return moreFlags == VERSION ? FORMAT_2 : FORMAT_3;
    }

    private static void writeMore(DelayMessage message, MessageExtras extras, ValueWriter out) {
        if (message.version() != 0) {
            out.varint(message.version());
        }
        if (!extras.hasNoOptions()) {
            out.text(OptionsJson.write(extras));
        }
        if (extras.firstDueMs() != 0) {
            out.zigzag(extras.firstDueMs() - message.createTimeMs());
        }
    }

    /** @throws IllegalArgumentException if the value is no pool value, or has a format that this version does not know */
    public static DelayMessage decode(String id, byte[] value) {
        int format = value.length == 0 ? -1 : (value[0] & 0x7f) >>> 4;
        if (format < FORMAT_1 || format > FORMAT_3) {
            throw new IllegalArgumentException("pool value of message " + id + " has the format version "
                    + (format < 0 ? "(none)" : Integer.toString(format)) + ", known are " + FORMAT_1 + " to "
                    + FORMAT_3);
        }
        try {
            ValueReader in = new ValueReader(value);
            int priority = in.next() & 0xf;
            int flags = in.next();
            String topic = in.text();
            int moreFlags = has(flags, MORE) ? in.next() : 0;
            int version = has(moreFlags, VERSION) ? Math.toIntExact(in.varint()) : 0;
            String options = has(moreFlags, OPTIONS) ? in.text() : null;
            long firstDueMs = has(moreFlags, FIRST_DUE) ? in.zigzag() : 0;
            long createTimeMs = originMs(id) + in.zigzag();
            long delayMs = has(flags, WHOLE_SECONDS) ? in.varint() * 1000 : in.varint();
            long dueTimeMs = createTimeMs + delayMs + (has(flags, SHIFTED) ? in.zigzag() : 0);
            long ttlSeconds = has(flags, TTL) ? in.varint() : 0;
            String subtopic = has(flags, SUBTOPIC) ? in.text() : "";
            String bizKey = has(flags, BIZ_KEY) ? in.text() : "";
            String body = has(flags, SEVEN_BITS) ? in.restOfSevenBits(has(flags, SPARE)) : in.rest();
            MessageExtras extras = OptionsJson.read(
                    has(moreFlags, BINARY), options, has(moreFlags, FIRST_DUE) ? createTimeMs + firstDueMs : 0);
            return new DelayMessage(
                    id,
                    topic,
                    subtopic,
                    bizKey,
                    body,
                    delayMs,
                    createTimeMs,
                    dueTimeMs,
                    priority,
                    ttlSeconds,
                    version,
                    extras);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("pool value of message " + id + " ends too early", e);
        }
    }

    private static long originMs(String id) {
        long generatedMs = StoredIds.generatedMs(id);
        return generatedMs < 0 ? ORIGIN_MS : generatedMs;
    }

    private static int flag(int flag, boolean set) {
        return set ? flag : 0;
    }

    private static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }
}
