package io.mykit.delay.controller.search;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.store.DueWindow;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The parameters of {@code /messages}, checked. Stateless. */
final class SearchFields {
    static final ParameterNames NAMES = ParameterNames.of(
            "status", "dueFrom", "dueTo", "topic", "topicPrefix", "bizKey", "idPrefix", "after", "limit");

    /** A shorter begin fits too many ids. */
    private static final int LEAST_PREFIX = 3;

    private static final Duration LONGEST = Duration.ofDays(400);
    private static final int LIMIT = 100;
    private static final SearchFilter NO_FILTER = new SearchFilter(
            Set.of(), DueWindow.ALL, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private SearchFields() {}

    static SearchOrder order(Parameters given) {
        SearchFilter filter = new SearchFilter(
                given.text("status").map(SearchFields::statuses).orElse(Set.of()),
                window(given),
                given.text("topic").map(text -> FieldRules.required("topic", text, MessageLimits.MAX_TOPIC)),
                given.text("topicPrefix")
                        .map(text -> FieldRules.required("topicPrefix", text, MessageLimits.MAX_TOPIC)),
                given.text("bizKey").map(text -> FieldRules.required("bizKey", text, MessageLimits.MAX_BIZ_KEY)),
                given.text("idPrefix").map(SearchFields::prefix));
        if (filter.equals(NO_FILTER)) {
            throw invalid(
                    "status, dueFrom, dueTo, topic, topicPrefix, bizKey or idPrefix is required: no search reads all messages");
        }
        if (filter.topic().isPresent() && filter.topicPrefix().isPresent()) {
            throw invalid("topic and topicPrefix exclude each other");
        }
        int limit = given.number("limit", 1, SearchOrder.MAX_LIMIT)
                .orElse((long) LIMIT)
                .intValue();
        return new SearchOrder(filter, given.text("after").map(text -> CursorText.read(text, filter)), limit);
    }

    private static Set<MessageStatus> statuses(String text) {
        Set<MessageStatus> statuses = EnumSet.noneOf(MessageStatus.class);
        for (String name : text.split(",", -1)) {
            statuses.add(Arrays.stream(MessageStatus.values())
                    .filter(status -> status.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> invalid("status must be one or more of "
                            + Arrays.stream(MessageStatus.values())
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", "))
                            + ", separated by commas")));
        }
        return statuses;
    }

    private static DueWindow window(Parameters given) {
        Optional<Long> from = given.time("dueFrom");
        Optional<Long> to = given.time("dueTo");
        DueWindow window = new DueWindow(from.orElse(Long.MIN_VALUE), to.orElse(Long.MAX_VALUE));
        if (window.fromMs() >= window.toMs()) {
            throw invalid("dueFrom must be before dueTo");
        }
        if (from.isPresent() && to.isPresent() && window.toMs() - window.fromMs() > LONGEST.toMillis()) {
            throw invalid("dueFrom and dueTo must not be further apart than " + LONGEST.toDays() + " days");
        }
        return window;
    }

    private static String prefix(String text) {
        if (text.length() < LEAST_PREFIX) {
            throw invalid("idPrefix must have at least " + LEAST_PREFIX + " characters");
        }
        return FieldRules.plain("idPrefix", text, MessageLimits.MAX_ID);
    }
}
