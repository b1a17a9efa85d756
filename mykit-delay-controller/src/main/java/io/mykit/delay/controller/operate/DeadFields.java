package io.mykit.delay.controller.operate;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadQuery;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** The fields of the calls on dead letters, checked. Stateless. */
final class DeadFields {
    static final int MAX_PAGE = 1000;
    private static final int PAGE = 100;
    private static final long MAX_LIMIT = 1_000_000_000;
    private static final int MAX_PER_SECOND = 1_000_000;
    private static final Duration LONGEST = Duration.ofMillis(MessageLimits.MAX_DUE_TIME_MS);

    private DeadFields() {}

    /** The choice of an order. A topic or a prefix is required: no call means all dead letters by accident. */
    static DeadOrder order(Parameters given) {
        Optional<String> topic = topic(given, "topic");
        Optional<String> prefix = topic(given, "prefix");
        if (topic.isPresent() == prefix.isPresent()) {
            throw invalid(
                    topic.isPresent()
                            ? "topic and prefix exclude each other"
                            : "topic or prefix is required, or jobId for one dead letter");
        }
        return new DeadOrder(
                topic.or(() -> prefix).orElseThrow(),
                prefix.isPresent(),
                query(given),
                given.number("limit", 1, MAX_LIMIT).orElse(MAX_LIMIT),
                given.flag("dryRun", false));
    }

    static Pace pace(Parameters given) {
        return new Pace(
                given.duration("delay", Duration.ZERO, LONGEST).orElse(Duration.ZERO),
                given.number("perSecond", 1, MAX_PER_SECOND).orElse(0L).intValue());
    }

    static DeadQuery query(Parameters given) {
        DeadQuery query = new DeadQuery(
                given.time("since").orElse(Long.MIN_VALUE),
                given.time("until").orElse(Long.MAX_VALUE),
                given.text("reason").map(DeadFields::reason));
        if (query.sinceMs() >= query.untilMs()) {
            throw invalid("since must be before until");
        }
        return query;
    }

    /** The size of a page. */
    static int pageLimit(Parameters given) {
        return given.number("limit", 1, MAX_PAGE).orElse((long) PAGE).intValue();
    }

    /**
     * The name of a topic, or the prefix of names. An empty text is refused: it comes from a script whose variable is not
     * set, and must not mean all topics.
     */
    static Optional<String> topic(Parameters given, String name) {
        return given.text(name).map(text -> {
            if (text.isEmpty()) {
                throw invalid(name + " is empty");
            }
            return FieldRules.name(name, text, MessageLimits.MAX_TOPIC);
        });
    }

    static DeadCursor cursor(Parameters given) {
        return given.text("after").map(DeadFields::cursor).orElse(DeadCursor.START);
    }

    private static DeadCursor cursor(String text) {
        try {
            int dash = text.indexOf('-', 1);
            String id = new String(Base64.getUrlDecoder().decode(text.substring(dash + 1)), UTF_8);
            return new DeadCursor(Long.parseLong(text.substring(0, dash)), id);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw invalid("after must be the next of an earlier answer");
        }
    }

    /** The cursor as an opaque text of letters, digits, dashes and underscores. */
    static String text(DeadCursor cursor) {
        String id = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(cursor.id().getBytes(UTF_8));
        return cursor.deadTimeMs() + "-" + id;
    }

    private static DeadReason reason(String text) {
        return Arrays.stream(DeadReason.values())
                .filter(reason -> reason.name().equals(text))
                .findFirst()
                .orElseThrow(() -> invalid("reason must be one of ATTEMPTS, REFUSED, BURIED"));
    }
}
