package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.bucket.TopicCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that consumers pull are listed, and handed out once. */
interface HandOutContract extends PulledTopic {
    @Test
    default void handsOutUnderAHold() {
        List<String> ids = due(3);
        assertThat(holds().ready(PULLED)).isEqualTo(Map.of(0, 3L));
        long before = now();
        Handout first = handOut(2, "r1");
        assertThat(first.messages()).extracting(DelayMessage::id).containsExactlyElementsOf(ids.subList(0, 2));
        assertThat(first.messages().get(0).body()).isEqualTo("body of " + ids.get(0));
        assertThat(first.more()).isTrue();
        assertThat(first.suspect()).isFalse();
        assertThat(first.untilMs()).isBetween(before + HOLD.toMillis() - 500, now() + HOLD.toMillis() + 500);
        assertThat(bucket(0).nextDue()).isEqualTo(first.untilMs());
        assertThat(index().locate(ids))
                .isEqualTo(Map.of(ids.get(0), Location.TAKEN, ids.get(1), Location.TAKEN, ids.get(2), Location.READY));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10))
                .as("a hold is no lease of the leader")
                .isEmpty();
        assertThat(bucket(0).strays().orphans()).isZero();
        assertThat(handOut(2, "r2")).satisfies(second -> {
            assertThat(second.messages()).extracting(DelayMessage::id).containsExactly(ids.get(2));
            assertThat(second.more()).isFalse();
        });
        assertThat(handOut(2, "r3").messages()).isEmpty();
    }

    @Test
    default void handsOutOfSeveralBuckets() {
        List<String> ids =
                List.of(idsIn(index(), 3, 1).get(0), idsIn(index(), 1, 1).get(0));
        for (String id : ids) {
            scheduleOne(message(id, PULLED, now() - 1000));
            movePulled(index().bucketOf(id));
        }
        List<Handout> handouts = holds().handOut(List.of(3, 2, 1), PULLED, new Portion(10, 100_000, true), HOLD, "r");
        assertThat(handouts).extracting(Handout::bucket).containsExactly(3, 2, 1);
        assertThat(handouts.stream().flatMap(handout -> handout.messages().stream()))
                .extracting(DelayMessage::id)
                .containsExactlyElementsOf(ids);
        assertThat(holds().buckets()).isEqualTo(BUCKETS);
    }

    @Test
    default void handsOutNoMoreBytesThanAsked() {
        List<String> ids = idsIn(index(), 0, 4);
        long due = now() - 2000;
        for (int i = 0; i < ids.size(); i++) {
            scheduleOne(message(ids.get(i), PULLED, due + i).withBody("x".repeat(1000)));
        }
        await().until(() -> {
            movePulled(0, HANDOVER);
            return holds().ready(PULLED).equals(Map.of(0, 4L));
        });
        Handout none = handOut(new Portion(4, 800, false), HOLD, "r1");
        assertThat(none.messages()).isEmpty();
        assertThat(none.more()).isTrue();
        assertThat(holds().ready(PULLED)).isEqualTo(Map.of(0, 4L));
        Handout one = handOut(new Portion(4, 800, true), HOLD, "r2");
        assertThat(one.messages()).extracting(DelayMessage::id).containsExactly(ids.get(0));
        assertThat(one.more()).isTrue();
        Handout two = handOut(new Portion(4, 2500, false), HOLD, "r3");
        assertThat(two.messages()).extracting(DelayMessage::id).containsExactly(ids.get(1), ids.get(2));
        assertThat(handOut(new Portion(4, 2500, false), HOLD, "r4").messages())
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(3));
        assertThat(bucket(0).strays().orphans()).isZero();
    }

    @Test
    default void tellsWhichTopicsAreReady() {
        assertThat(holds().readyTopics()).isEmpty();
        due(1);
        String elsewhere = idsIn(index(), 2, 1).get(0);
        scheduleOne(message(elsewhere, "jobs-1", now() - 1000));
        scheduleOne(message(idsIn(index(), 3, 1).get(0), PULLED, far()));
        movePulled(2);
        assertThat(holds().readyTopics()).isEqualTo(Map.of(0, Set.of(PULLED), 2, Set.of("jobs-1")));
        handOut(1, "r1");
        assertThat(holds().readyTopics()).isEqualTo(Map.of(2, Set.of("jobs-1")));
    }

    @Test
    default void passesOverPurgedMessages() {
        List<String> ids = due(5);
        index().purge(Refs.first(ids.subList(0, 3)));
        scheduleOne(message(ids.get(0), PULLED, far()));
        Handout handout = handOut(1, "r1");
        assertThat(handout.messages()).extracting(DelayMessage::id).containsExactly(ids.get(3));
        assertThat(handOut(5, "r2").messages()).extracting(DelayMessage::id).containsExactly(ids.get(4));
        assertThat(index().locate(ids.subList(0, 3))).isEqualTo(Map.of(ids.get(0), Location.WAITING));
    }

    @Test
    default void handsOutByDueTimeAndPriority() {
        List<String> ids = idsIn(index(), 0, 4);
        long due = now() - 1000;
        index().schedule(List.of(
                message(ids.get(0), PULLED, due + 1, 9),
                message(ids.get(1), PULLED, due, 0),
                message(ids.get(2), PULLED, due, 9),
                message(ids.get(3), PULLED, due - 1, 0)));
        movePulled(0);
        assertThat(handOut(4, "r1").messages())
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(3), ids.get(2), ids.get(1), ids.get(0));
    }

    @Test
    default void countsAllTopics() {
        due(3);
        handOut(1, "r1");
        List<String> others = idsIn(index(), 1, 4);
        long dueMs = far();
        index().schedule(List.of(
                message(others.get(0), PULLED, dueMs),
                message(others.get(1), "a", dueMs + 5),
                message(others.get(2), "a", dueMs),
                message(others.get(3), "delivered", now() - 1000)));
        move(1);
        assertThat(take(1, "delivered")).hasSize(1);

        TopicCounts counts = holds().counts(100);

        assertThat(counts.complete()).isTrue();
        assertThat(counts.topics()).extracting(TopicCount::topic).containsExactly("a", "delivered", PULLED);
        assertThat(counts.topics().get(0)).isEqualTo(new TopicCount("a", 2, 0, 0, 0, OptionalLong.of(dueMs)));
        assertThat(counts.topics().get(1)).isEqualTo(new TopicCount("delivered", 0, 0, 0, 1, OptionalLong.empty()));
        assertThat(counts.topics().get(2)).satisfies(pulled -> {
            assertThat(pulled.waiting()).isEqualTo(1);
            assertThat(pulled.ready()).isEqualTo(2);
            assertThat(pulled.held()).isEqualTo(1);
            assertThat(pulled.oldestMs().orElse(0)).isLessThan(now());
        });
        assertThat(holds().counts(2).complete()).isFalse();
        assertThat(holds().counts(2).topics()).hasSize(2);
        assertThat(holds().counts(List.of(PULLED, "none", "a", "delivered")))
                .containsExactly(
                        counts.topics().get(2),
                        new TopicCount("none", 0, 0, 0, 0, OptionalLong.empty()),
                        counts.topics().get(0),
                        new TopicCount("delivered", 0, 0, 0, 0, OptionalLong.empty()));
    }

    @Test
    default void listsTopics() {
        due(3);
        handOut(1, "r1");
        List<String> others = idsIn(index(), 1, 3);
        index().schedule(List.of(
                message(others.get(0), PULLED, far()),
                message(others.get(1), "a", far()),
                message(others.get(2), "pb", far())));
        assertThat(holds().topics("", "", 10))
                .extracting(census -> census.topic())
                .containsExactly("a", PULLED, "pb");
        assertThat(holds().topics("p", "", 1)).singleElement().satisfies(census -> {
            assertThat(census.topic()).isEqualTo(PULLED);
            assertThat(census.waiting()).isEqualTo(1);
            assertThat(census.ready()).isEqualTo(2);
            assertThat(census.held()).isEqualTo(1);
        });
        assertThat(holds().topics("p", PULLED, 10))
                .extracting(census -> census.topic())
                .containsExactly("pb");
        assertThat(holds().topics("q", "", 10)).isEmpty();
        assertThat(holds().topics(List.of("pb", "none")))
                .containsExactly(new TopicCensus("pb", 1, 0, 0), new TopicCensus("none", 0, 0, 0));
    }

    @Test
    default void findsTheTopicsThatBeginWithATextHoweverManyOthersThereAre() {
        List<String> ids = idsIn(index(), 1, 3020);
        List<String> names = new ArrayList<>(List.of("a*b", "a[1]", "a?", "a\\c", "axb", "ready/*", "\u4e2d/1"));
        IntStream.range(0, 3000).forEach(i -> names.add("other" + i));
        List<DelayMessage> messages = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            messages.add(message(ids.get(i), names.get(i), names.get(i).startsWith("ready") ? now() - 1500 : far()));
        }
        index().schedule(messages);
        move(1);
        assertThat(holds().names(List.of())).isEmpty();
        assertThat(holds().names(List.of("a*"))).containsExactly("a*b");
        assertThat(holds().names(List.of("a[", "a?"))).containsExactlyInAnyOrder("a[1]", "a?");
        assertThat(holds().names(List.of("a\\"))).containsExactly("a\\c");
        assertThat(holds().names(List.of("ready/*", "\u4e2d"))).containsExactlyInAnyOrder("ready/*", "\u4e2d/1");
        assertThat(holds().names(List.of(""))).containsExactlyInAnyOrderElementsOf(names);
        assertThat(holds().topics(names)).hasSize(names.size()).allMatch(topic -> topic.waiting() + topic.ready() == 1);
    }

    @Test
    default void peeks() {
        List<String> ids = due(4);
        handOut(1, "r1");
        index().purge(Refs.first(ids.get(1)));
        String elsewhere = idsIn(index(), 2, 1).get(0);
        scheduleOne(message(elsewhere, PULLED, far()));
        assertThat(holds().peek(PULLED, Location.READY, 1))
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(2));
        assertThat(holds().peek(PULLED, Location.READY, 9))
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(2), ids.get(3));
        assertThat(holds().peek(PULLED, Location.WAITING, 9))
                .extracting(DelayMessage::id)
                .containsExactly(elsewhere);
        assertThat(holds().peek("other", Location.READY, 9)).isEmpty();
        assertThat(index().locate(ids)).hasSize(3);
    }

    @Test
    default void twoConsumersNeverGetTheSameMessage() throws Exception {
        List<String> ids = due(200);
        List<String> handedOut = new ArrayList<>();
        Races.run(
                () -> handOutAll("r1", handedOut),
                () -> handOutAll("r2", handedOut),
                () -> handOutAll("r3", handedOut));
        assertThat(handedOut).containsExactlyInAnyOrderElementsOf(ids);
    }

    private void handOutAll(String receipt, List<String> into) {
        for (List<DelayMessage> some = handOut(7, receipt).messages();
                !some.isEmpty();
                some = handOut(7, receipt).messages()) {
            synchronized (into) {
                some.forEach(message -> into.add(message.id()));
            }
        }
    }

    @Test
    default void aMessageIsEitherTakenOutOrHandedOut() throws Exception {
        List<String> ids = due(100);
        List<String> stay = new ArrayList<>();
        List<String> handedOut = new ArrayList<>();
        Races.run(
                () -> ids.forEach(id -> stay.addAll(index().purge(Refs.first(id)))), () -> handOutAll("r1", handedOut));
        assertThat(stay).allMatch(handedOut::contains);
        assertThat(index().locate(ids)).containsOnlyKeys(handedOut);
        assertThat(Set.copyOf(stay)).isEqualTo(Set.copyOf(handedOut));
    }
}
