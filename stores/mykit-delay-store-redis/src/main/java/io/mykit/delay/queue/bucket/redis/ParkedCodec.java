package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/**
 * The codec of a parked outcome as a hash value: {@code 1|status code|ready ms|done ms|attempts|detail}, UTF-8; or {@code
 * 2|version|status code|...} if the message's version is not 0. Stateless.
 */
final class ParkedCodec {
    private static final String FIRST_VERSION = "1|";
    private static final String LATER_VERSION = "2|";
    private static final int FIELDS = 5;
    /** Stands behind the reason of a dead letter and before its detail, in words that nodes of older versions can show. */
    private static final String REASON_END = ": ";

    private static final Set<DeadReason> MARKED = EnumSet.complementOf(EnumSet.of(DeadReason.ATTEMPTS));

    private ParkedCodec() {}

    static byte[] encode(ParkedOutcome outcome) {
        String detail =
                outcome.reason() == DeadReason.ATTEMPTS ? outcome.detail() : mark(outcome.reason()) + outcome.detail();
        String head = outcome.version() == 0 ? FIRST_VERSION : LATER_VERSION + outcome.version() + "|";
        return (head
                        + String.join(
                                "|",
                                Integer.toString(outcome.status().code()),
                                Long.toString(outcome.readyMs()),
                                Long.toString(outcome.doneMs()),
                                Integer.toString(outcome.attempts()),
                                detail))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the value has another format */
    static ParkedOutcome decode(String id, byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        if (text.startsWith(FIRST_VERSION)) {
            return decode(id, 0, text.substring(FIRST_VERSION.length()));
        }
        int end = text.indexOf('|', LATER_VERSION.length());
        if (text.startsWith(LATER_VERSION) && end > 0) {
            int version = Integer.parseInt(text.substring(LATER_VERSION.length(), end));
            return decode(id, version, text.substring(end + 1));
        }
        throw unknown(id);
    }

    private static ParkedOutcome decode(String id, int version, String rest) {
        String[] fields = rest.split("\\|", FIELDS);
        if (fields.length != FIELDS) {
            throw unknown(id);
        }
        MessageStatus status = MessageStatus.ofCode(Integer.parseInt(fields[0]));
        DeadReason reason = status == MessageStatus.FAILED ? reason(fields[4]) : DeadReason.ATTEMPTS;
        return new ParkedOutcome(
                id,
                version,
                status,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Integer.parseInt(fields[3]),
                reason == DeadReason.ATTEMPTS
                        ? fields[4]
                        : fields[4].substring(mark(reason).length()),
                reason);
    }

    private static DeadReason reason(String detail) {
        for (DeadReason reason : MARKED) {
            if (detail.startsWith(mark(reason))) {
                return reason;
            }
        }
        return DeadReason.ATTEMPTS;
    }

    private static String mark(DeadReason reason) {
        return reason.name() + REASON_END;
    }

    private static IllegalArgumentException unknown(String id) {
        return new IllegalArgumentException("parked outcome of message " + id + " has an unknown format");
    }
}
