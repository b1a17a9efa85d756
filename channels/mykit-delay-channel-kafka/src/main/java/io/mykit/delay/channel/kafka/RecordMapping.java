package io.mykit.delay.channel.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.kafka.KafkaSettings.RecordKey;
import io.mykit.delay.common.message.DelayMessage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.internals.Topic;

/**
 * A message as a record: a slash in the topic as a dot, the key by the setting, the body as its bytes, and as headers in UTF-8 the
 * headers of the message, {@code id}, {@code subtopic}, {@code bizKey}, {@code dueTime} and {@code createTime} (epoch milliseconds) and
 * {@code attempt}. A subtopic or business key that is empty is no header. Immutable.
 *
 * @param maxBytes the largest record that the producer sends
 */
record RecordMapping(RecordKey key, long maxBytes) {
    static final String ID = "id";
    static final String SUBTOPIC = "subtopic";
    static final String BIZ_KEY = "bizKey";
    static final String DUE_TIME = "dueTime";
    static final String CREATE_TIME = "createTime";
    static final String ATTEMPT = "attempt";

    private static final Set<String> OWN = Set.of(ID, SUBTOPIC, BIZ_KEY, DUE_TIME, CREATE_TIME, ATTEMPT);

    /** An upper bound of the bytes of the batch, of the record's frame, and of the headers with numbers. */
    private static final long FRAME_BYTES = 256;
    /** An upper bound of the two lengths of a header. */
    private static final int HEADER_BYTES = 10;
    /** A UTF-16 unit takes at most this in UTF-8. */
    private static final long BYTES_PER_CHAR = 3;

    ProducerRecord<byte[], byte[]> record(Outgoing outgoing) {
        DelayMessage message = outgoing.message();
        ProducerRecord<byte[], byte[]> mapped =
                new ProducerRecord<>(topic(message.topic()), null, keyBytes(message), message.bodyBytes());
        Headers headers = mapped.headers();
        message.extras().headers().forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
        add(headers, ID, message.id());
        add(headers, SUBTOPIC, message.subtopic());
        add(headers, BIZ_KEY, message.bizKey());
        add(headers, DUE_TIME, Long.toString(message.firstDueMs()));
        add(headers, CREATE_TIME, Long.toString(message.createTimeMs()));
        add(headers, ATTEMPT, Integer.toString(outgoing.attempt()));
        return mapped;
    }

    /** The name at the broker: Kafka forbids the slash, and its users separate parts of a name with dots. */
    static String topic(String topic) {
        return topic.replace('/', '.');
    }

    /** The reason why Kafka would never accept this message; empty if there is none. */
    Optional<String> objection(DelayMessage message) {
        String topic = topic(message.topic());
        if (!Topic.isValid(topic)) {
            return Optional.of(
                    "Kafka topics are 1 to 249 of A-Z a-z 0-9 . _ - (and / here, which is a . there), and not . or ..");
        }
        for (String name : message.extras().headers().keySet()) {
            if (OWN.contains(name)) {
                return Optional.of("headers." + name + " is reserved: Kafka records have a header " + name);
            }
        }
        return fitsForSure(message) || bytes(message) <= maxBytes
                ? Optional.empty()
                : Optional.of("Kafka records have at most " + maxBytes
                        + " bytes here, with key and headers (mykit.delay.kafka.properties.max.request.size)");
    }

    /** Whether the lengths alone show that the limit is not exceeded. Nearly every message passes here, and every push runs this check. */
    private boolean fitsForSure(DelayMessage message) {
        long characters = message.characters()
                + 2L
                        * (message.id().length()
                                + message.subtopic().length()
                                + message.bizKey().length());
        long frames = (long) HEADER_BYTES * message.extras().headers().size();
        return BYTES_PER_CHAR * characters + frames + FRAME_BYTES <= maxBytes;
    }

    /** An upper bound of the bytes of the record, at most a few hundred too high. */
    private long bytes(DelayMessage message) {
        byte[] own = keyBytes(message);
        long sum = FRAME_BYTES + message.bodyBytes().length + (own == null ? 0 : own.length);
        sum += bytes(message.id()) + bytes(message.subtopic()) + bytes(message.bizKey());
        for (Map.Entry<String, String> header : message.extras().headers().entrySet()) {
            sum += bytes(header.getKey()) + bytes(header.getValue()) + HEADER_BYTES;
        }
        return sum;
    }

    /** Null = none: the producer spreads such records over the partitions. */
    private byte[] keyBytes(DelayMessage message) {
        String text =
                switch (key) {
                    case BIZ_KEY -> message.bizKey().isEmpty() ? message.subtopic() : message.bizKey();
                    case ID -> message.id();
                    case NONE -> "";
                };
        return text.isEmpty() ? null : text.getBytes(UTF_8);
    }

    private static long bytes(String text) {
        return text.getBytes(UTF_8).length;
    }

    private static void add(Headers headers, String name, String value) {
        if (!value.isEmpty()) {
            headers.add(name, value.getBytes(UTF_8));
        }
    }
}
