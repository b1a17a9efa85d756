package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.TopicPart;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages of messages for people. */
interface SearchContract extends StoreUnderTest {
    /** The last one is behind the others for a database, and before "x\uE000" for Java. */
    List<String> ODD = List.of("x", "x%", "xA", "xa", "x\uE000", "x\uD83D\uDE00");

    @Test
    default void aFoundMessageHasItsLightFields() {
        store().insert(List.of(fresh(message("a", T0 + 1000))));
        Transition retry = Transition.of(
                        store().states(List.of("a")).get(0),
                        move("a", DELAY, READY, DELAY).steps(),
                        "tester")
                .retriedAt(T0 + 9000);
        store().move(List.of(retry));
        assertThat(search().byDue(DELAY, DueWindow.ALL, RowCursor.START, 10))
                .containsExactly(new FoundMessage("a", "orders", "eu", "biz-a", DELAY, T0 + 9000, T0 + 1000, T0, 0, 3));
    }

    @Test
    default void dueTimesArePagedWithinAWindow() {
        for (int i = 0; i < 10; i++) {
            store().insert(List.of(fresh(message("m" + i, T0 + i / 2))));
        }
        store().insert(List.of(new NewMessage(message("other", T0 + 1), WAIT_PUT)));
        DueWindow window = new DueWindow(T0 + 1, T0 + 4);
        List<String> paged = new ArrayList<>();
        RowCursor after = RowCursor.START;
        for (List<FoundMessage> page = search().byDue(DELAY, window, after, 4);
                !page.isEmpty();
                page = search().byDue(DELAY, window, after, 4)) {
            page.forEach(row -> paged.add(row.id()));
            after = page.get(page.size() - 1).cursor();
        }
        assertThat(paged).containsExactly("m2", "m3", "m4", "m5", "m6", "m7");
        assertThat(ids(search().byDue(WAIT_PUT, window, RowCursor.START, 10))).containsExactly("other");
        assertThat(search().byDue(DELAY, window, new RowCursor(T0 + 3, "m7"), 10))
                .isEmpty();
    }

    @Test
    default void idsArePagedByTheirBegin() {
        ODD.forEach(id -> store().insert(List.of(fresh(id))));
        store().insert(List.of(fresh("w"), fresh("y"), fresh("X")));
        List<String> paged = new ArrayList<>();
        String after = "";
        for (List<FoundMessage> page = search().byId("x", after, 2);
                !page.isEmpty();
                page = search().byId("x", after, 2)) {
            paged.addAll(ids(page));
            after = paged.get(paged.size() - 1);
        }
        assertThat(paged).isEqualTo(ODD);
        assertThat(ids(search().byId("x%", "", 10))).containsExactly("x%");
        assertThat(ids(search().byId("y", "y", 10))).isEmpty();
    }

    /** Wildcards are characters like others, and a prefix may end with the last character before a gap, or of Unicode. */
    @Test
    default void topicsArePagedByTheirBegin() {
        List<String> topics = List.of(
                "p/%",
                "p/A",
                "p/\\",
                "p/_b",
                "p/a",
                "p/a b",
                "p/aa",
                "p/\uD7FF",
                "p/\uD7FFx",
                "p/\uE000",
                "p/\uD83D\uDE00",
                "p/\uDBFF\uDFFF",
                "p/\uDBFF\uDFFFx");
        for (String topic : topics) {
            store().insert(List.of(
                    fresh(of("2" + topic, topic, "k", T0 + 1)),
                    new NewMessage(of("1" + topic, topic, "k", T0 + 1), WAIT_PUT),
                    fresh(of("0" + topic, topic, "k", T0 + 2))));
        }
        for (String other : List.of("P/a", "o/a", "p", "p.a", "p0", "q/a", "p /a")) {
            store().insert(List.of(fresh(of(other, other, "k", T0))));
        }
        List<String> ordered = topics.stream()
                .flatMap(topic -> Stream.of("1" + topic, "2" + topic, "0" + topic))
                .toList();
        for (int limit : new int[] {1, 2, 3, 4, 100}) {
            assertThat(prefixed("p/", limit)).as("pages of %s", limit).isEqualTo(ordered);
        }
        assertThat(prefixed("p", 100)).hasSize(ordered.size() + 4);
        for (String prefix : List.of("p/%", "p/_", "p/\\", "p/A", "p/\uE000", "p/\uD83D\uDE00")) {
            assertThat(prefixed(prefix, 2)).as(prefix).hasSize(3);
        }
        for (String prefix : List.of("p/\uD7FF", "p/\uDBFF\uDFFF")) {
            assertThat(prefixed(prefix, 2)).as(prefix).hasSize(6);
        }
        assertThat(prefixed("p/a", 2)).hasSize(9);
        for (String prefix : List.of("p/b", "\uDBFF\uDFFF", "%", "p/a%", "p_", "x".repeat(128))) {
            assertThat(prefixed(prefix, 2)).as(prefix).isEmpty();
        }
    }

    private List<String> prefixed(String prefix, int limit) {
        List<String> ids = new ArrayList<>();
        List<FoundMessage> page = search().byTopicPrefix(prefix, "", RowCursor.START, limit);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            ids.addAll(ids(page));
            FoundMessage last = page.get(page.size() - 1);
            page = search().byTopicPrefix(prefix, last.topic(), last.cursor(), limit);
        }
        return ids;
    }

    /** Without the optional indexes the same statements are slow, and as right. */
    @Test
    default void topicsAndBusinessKeysAreExact() {
        store().insert(List.of(
                fresh(of("a", "orders", "k", T0 + 2)),
                fresh(of("b", "Orders", "k", T0 + 1)),
                fresh(of("c", "orders", "K", T0 + 1)),
                new NewMessage(of("d", "orders", "k", T0 + 3), WAIT_PUT)));
        store().move(List.of(move("c", DELAY, DELETE)));
        assertThat(ids(search().byTopic("orders", DueWindow.ALL, RowCursor.START, 10)))
                .containsExactly("c", "a", "d");
        assertThat(ids(search().byTopic("orders", new DueWindow(T0 + 2, T0 + 3), RowCursor.START, 10)))
                .containsExactly("a");
        assertThat(ids(search().byTopic("orders", DueWindow.ALL, new RowCursor(T0 + 1, "c"), 1)))
                .containsExactly("a");
        assertThat(ids(search().byBizKey("k", "", 10))).containsExactly("a", "b", "d");
        assertThat(ids(search().byBizKey("k", "a", 1))).containsExactly("b");
    }

    /** The rows to look at are those of the key with an index, and all unfinished ones without. */
    @Test
    default void unfinishedMessagesOfATopicAndKeyAreFoundWithinABound() {
        store().insert(List.of(
                fresh(of("a", "orders", "k", T0 + 2)),
                fresh(of("b", "Orders", "k", T0 + 1)),
                fresh(of("c", "orders", "K", T0 + 1)),
                new NewMessage(of("d", "orders", "k", T0 + 3), WAIT_PUT),
                fresh(of("e", "orders", "k", T0 + 4))));
        store().move(List.of(move("e", DELAY, DELETE)));
        for (boolean byKey : List.of(true, false)) {
            assertThat(search().unfinishedOf("orders", "k", byKey, 4, 10).orElseThrow())
                    .containsExactlyInAnyOrder(new RowCursor(T0 + 2, "a"), new RowCursor(T0 + 3, "d"));
            assertThat(search().unfinishedOf("orders", "k", byKey, 4, 1).orElseThrow())
                    .hasSize(1);
            assertThat(search().unfinishedOf("orders", "k", byKey, 3, 10)).isEmpty();
            assertThat(search().unfinishedOf("orders", "none", byKey, 4, 10)).contains(List.of());
        }
        assertThat(search().unfinishedOf("orders", "K", true, 1, 10)).contains(List.of(new RowCursor(T0 + 1, "c")));
    }

    /** Two rows are looked at for each part. */
    @Test
    default void rowsOfOneTopicAreReadInParts() {
        store().insert(List.of(
                fresh(of("a", "orders", "k", T0 + 2)),
                fresh(of("b", "other", "k", T0 + 2)),
                fresh(of("c", "orders", "k", T0 + 1)),
                new NewMessage(of("d", "orders", "k", T0 + 3), WAIT_PUT),
                fresh(of("e", "orders", "k", T0 + 4))));
        store().move(List.of(move("e", DELAY, DELETE)));
        List<String> found = new ArrayList<>();
        RowCursor after = RowCursor.START;
        while (after != null) {
            TopicPart<RowCursor> part = search().ofTopic("orders", DELAY, after, Long.MAX_VALUE, 2);
            part.rows().forEach(row -> found.add(row.id()));
            after = part.last();
        }
        assertThat(found).containsExactly("c", "a");
        assertThat(search().ofTopic("orders", DELAY, RowCursor.START, T0 + 2, 2))
                .isEqualTo(new TopicPart<>(store().states(List.of("c")), 1, null));

        List<String> unfinished = new ArrayList<>();
        String id = "";
        while (id != null) {
            TopicPart<String> part = search().ofTopic("orders", id, Long.MAX_VALUE, 2);
            part.rows().forEach(row -> unfinished.add(row.id()));
            id = part.last();
        }
        assertThat(unfinished).containsExactly("a", "c", "d");
        assertThat(search().ofTopic("orders", "a", T0 + 3, 10).rows()).isEqualTo(store().states(List.of("c")));

        assertThat(search().ofTopic("orders", RowCursor.START, 10))
                .extracting(RowState::id)
                .containsExactly("c", "a", "d", "e");
        assertThat(search().ofTopic("orders", new RowCursor(T0 + 2, "a"), 1)).isEqualTo(store().states(List.of("d")));
    }

    @Test
    default void bodiesAreMeasuredInBytes() {
        store().insert(List.of(
                fresh(message("empty", "")),
                fresh(message("text", "\u00e9\uD83D\uDE00!")),
                fresh(binary("one", "AQ==")),
                fresh(binary("two", "AQI=")),
                fresh(binary("three", "AQID")),
                fresh(binary("none", ""))));
        Map<String, Long> bytes = new HashMap<>();
        search().details(List.of("empty", "text", "one", "two", "three", "none", "unknown"))
                .forEach((id, details) -> bytes.put(id, details.bodyBytes()));
        assertThat(bytes).isEqualTo(Map.of("empty", 0L, "text", 7L, "one", 1L, "two", 2L, "three", 3L, "none", 0L));
        assertThat(search().details(List.of())).isEmpty();
    }

    @Test
    default void detailsHaveTheIdOfTheRequest() {
        String odd =
                IntStream.rangeClosed('!', '~').mapToObj(Character::toString).collect(Collectors.joining());
        store().insert(List.of(
                fresh(message("plain", "b")),
                fresh(message("header", "b")
                        .withExtras(ExtrasBuilder.extras()
                                .headers(Map.of("requestId", "h"))
                                .build())),
                fresh(message("odd", "b")
                        .withExtras(ExtrasBuilder.extras().requestId(odd).build()))));
        assertThat(search().details(List.of("plain", "header", "odd")))
                .isEqualTo(Map.of(
                        "plain", new FoundDetails(1, ""),
                        "header", new FoundDetails(1, ""),
                        "odd", new FoundDetails(1, odd)));
    }

    @Test
    default void keysAreThoseOfOneStatus() {
        store().insert(List.of(
                fresh(message("b", T0 + 1)),
                fresh(message("a", T0 + 1)),
                fresh(message("c", T0)),
                new NewMessage(message("w", T0), WAIT_PUT)));
        assertThat(search().keys(DELAY, RowCursor.START, 2))
                .containsExactly(new RowCursor(T0, "c"), new RowCursor(T0 + 1, "a"));
        assertThat(search().keys(DELAY, new RowCursor(T0 + 1, "a"), 2)).containsExactly(new RowCursor(T0 + 1, "b"));
        assertThat(search().keys(FAILED, RowCursor.START, 2)).isEmpty();
    }

    private SearchStore search() {
        return store().search();
    }

    private static List<String> ids(List<FoundMessage> found) {
        return found.stream().map(FoundMessage::id).toList();
    }

    private static DelayMessage of(String id, String topic, String bizKey, long dueMs) {
        return MessageBuilder.withId(id)
                .topic(topic)
                .bizKey(bizKey)
                .created(T0)
                .due(dueMs)
                .build();
    }

    private static DelayMessage binary(String id, String base64) {
        return message(id, base64)
                .withExtras(ExtrasBuilder.extras().binary(true).build());
    }
}
