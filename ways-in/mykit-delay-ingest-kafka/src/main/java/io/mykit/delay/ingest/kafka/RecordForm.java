package io.mykit.delay.ingest.kafka;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.text.Misspelling;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.json.Utf8;
import io.mykit.delay.json.push.PushFields;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.PushRules;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Makes a push of a record: a JSON push, or a raw record whose headers say where and when (docs/kafka.md). {@link NewPush} has the rules of
 * all ways in. Thread-safe.
 */
final class RecordForm {
    /** The headers of a raw record. */
    private static final String TOPIC = "mykit-topic";

    private static final String DUE = "mykit-due";
    private static final String DELAY = "mykit-delay";
    private static final String ID = "mykit-id";
    private static final String SUBTOPIC = "mykit-subtopic";
    private static final String TTL = "mykit-ttl";
    private static final List<String> KNOWN = List.of(TOPIC, DUE, DELAY, ID, SUBTOPIC, TTL);
    private static final String OWN = "mykit-";
    /** Of the offset in an id. */
    private static final String ZEROS = "0".repeat(12);

    private final PushRules rules;
    private final InstantSource clock;
    private final int maxBody;

    /** @param maxBody the maximum of bytes in a value */
    RecordForm(PushRules rules, InstantSource clock, int maxBody) {
        this.rules = rules;
        this.clock = clock;
        this.maxBody = maxBody;
    }

    /**
     * Reads one record. A record that is read again gives the same id, and with {@code replace} the same key.
     *
     * @throws DelayException the record is no valid push
     */
    Read read(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            throw invalid("the record has no value");
        }
        if (record.value().length > maxBody) {
            throw new DelayException(
                    ErrorCode.TOO_LARGE,
                    "the value is larger than " + maxBody + " bytes (mykit.delay.http.max-body-size)");
        }
        Map<String, String> own = new HashMap<>();
        List<Header> others = new ArrayList<>();
        for (Header header : record.headers()) {
            if (!isOwn(header.key())) {
                others.add(header);
            } else if (!Rejected.HEADERS.contains(header.key())) {
                own(own, header);
            }
        }
        NewPush push = own.isEmpty() ? json(record.value()) : raw(record, own, others);
        String made = id(record);
        push.orElse(made, createTimeMs(record), () -> key(record));
        return new Read(rules.check(push, UnaryOperator.identity()), made);
    }

    /** @param made the id that the record has if it gives none, without the prefix of a namespace */
    record Read(CheckedPush push, String made) {
        String id() {
            return push.message().id();
        }

        /** Whether the record gave no id, so no other record of the partition has this one. */
        boolean isMade() {
            return id().equals(made) || id().endsWith("/" + made);
        }
    }

    /** In any case: taken for a header of the application, {@code Mykit-Delay} would make a message early. */
    private static boolean isOwn(String name) {
        return name.regionMatches(true, 0, OWN, 0, OWN.length());
    }

    private static void own(Map<String, String> own, Header header) {
        String name = header.key();
        if (!KNOWN.contains(name)) {
            String hint = Misspelling.nearest(name, KNOWN)
                    .map(nearest -> "did you mean " + nearest + "?")
                    .orElse("known are " + String.join(", ", KNOWN));
            throw invalid("unknown header " + Misspelling.shorten(name) + "; " + hint);
        }
        if (own.put(name, text("header " + name, header.value())) != null) {
            throw invalid("header " + name + " is given twice");
        }
    }

    private static NewPush json(byte[] value) {
        if (value.length == 0) {
            throw invalid("the record is empty: neither a JSON push, nor a raw record, which has the header " + TOPIC);
        }
        try (JsonReader json = new JsonReader(value)) {
            NewPush push = PushFields.readWithoutWait(json);
            json.end();
            return push;
        }
    }

    private static NewPush raw(ConsumerRecord<byte[], byte[]> record, Map<String, String> own, List<Header> others) {
        if (!own.containsKey(TOPIC)) {
            throw invalid("header " + TOPIC
                    + " is missing: a raw record needs it, and a JSON push has no header that begins with " + OWN);
        }
        NewPush push = new NewPush().topic(own.get(TOPIC)).body(record.value());
        number(own, DUE).ifPresent(push::triggerAt);
        number(own, DELAY).ifPresent(push::delay);
        number(own, TTL).ifPresent(push::ttl);
        Optional.ofNullable(own.get(ID)).ifPresent(push::id);
        Optional.ofNullable(own.get(SUBTOPIC)).ifPresent(push::subtopic);
        if (record.key() != null) {
            push.bizKey(text("key", record.key()));
        }
        others.forEach(header ->
                push.header(header.key(), text("header " + Misspelling.shorten(header.key()), header.value())));
        return push;
    }

    private static Optional<Long> number(Map<String, String> own, String name) {
        String text = own.get(name);
        if (text != null && !FieldRules.isNumber(text)) {
            throw invalid("header " + name + " must be an integer in decimal digits");
        }
        return Optional.ofNullable(text).map(Long::parseLong);
    }

    /** @param bytes null = none */
    private static String text(String part, byte[] bytes) {
        return bytes == null ? "" : Utf8.text(part, bytes);
    }

    /**
     * The id of a message whose record gives none, without the prefix of a namespace. The ids of a partition have the order of its records:
     * in another order, the pages of the table would be split for them.
     */
    private static String id(ConsumerRecord<?, ?> record) {
        String offset = Long.toString(record.offset());
        String zeros = ZEROS.substring(Math.min(offset.length(), ZEROS.length()));
        return "k:" + record.topic() + ":" + record.partition() + ":" + zeros + offset;
    }

    /** The idempotency key of a push with {@code replace}. The timestamp tells records of a topic that was made anew. */
    private static String key(ConsumerRecord<?, ?> record) {
        return "k:" + record.partition() + ":" + record.offset() + ":" + record.timestamp();
    }

    /** Epoch milliseconds; 0 = the record has no time. A producer's clock may be ahead. */
    private long createTimeMs(ConsumerRecord<?, ?> record) {
        return record.timestamp() < MessageLimits.MIN_TIME_MS ? 0 : Math.min(record.timestamp(), clock.millis());
    }
}
