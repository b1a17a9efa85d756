package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.nio.charset.StandardCharsets;

/** A parked outcome as a hash value: {@code 1|status code|ready ms|done ms|attempts|detail}, UTF-8. Stateless. */
final class ParkedCodec {
    private static final String VERSION = "1";
    private static final int FIELDS = 6;

    private ParkedCodec() {}

    static byte[] encode(ParkedOutcome outcome) {
        String detail = outcome.detail() == null ? "" : outcome.detail();
        return String.join(
                        "|",
                        VERSION,
                        Integer.toString(outcome.status().code()),
                        Long.toString(outcome.readyMs()),
                        Long.toString(outcome.doneMs()),
                        Integer.toString(outcome.attempts()),
                        detail)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the value is not one of ours */
    static ParkedOutcome decode(String id, byte[] value) {
        String[] fields = new String(value, StandardCharsets.UTF_8).split("\\|", FIELDS);
        if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
            throw new IllegalArgumentException("parked outcome of message " + id + " has an unknown format");
        }
        return new ParkedOutcome(
                id,
                MessageStatus.ofCode(Integer.parseInt(fields[1])),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Integer.parseInt(fields[4]),
                fields[5]);
    }
}
