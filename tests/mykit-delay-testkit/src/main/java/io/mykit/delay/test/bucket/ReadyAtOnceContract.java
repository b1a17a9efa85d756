package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A message of a pulled topic that is due already when it is scheduled is ready after the call. */
interface ReadyAtOnceContract extends PulledTopic {
    private List<ScheduleOutcome> scheduleNow(MessageIndex node, DelayMessage... messages) {
        return node.schedule(List.of(messages), message -> false, TOPICS::contains);
    }

    @Test
    default void whatIsDueIsReadyAndTheRestWaits() {
        List<String> ids = idsIn(index(), 0, 4);
        assertThat(scheduleNow(
                        index(),
                        message(ids.get(0), PULLED, now() - 1000),
                        message(ids.get(1), PULLED, far()),
                        message(ids.get(2), "plain", now() - 1000),
                        message(ids.get(3), "jobs-1", now() - 1000)))
                .containsOnly(ScheduleOutcome.SCHEDULED);
        assertThat(index().locate(ids))
                .isEqualTo(Map.of(
                        ids.get(0), Location.READY,
                        ids.get(1), Location.WAITING,
                        ids.get(2), Location.WAITING,
                        ids.get(3), Location.READY));
        assertThat(holds().readyTopics()).isEqualTo(Map.of(0, Set.of(PULLED, "jobs-1")));
        assertThat(bucket(0).strays().orphans()).isZero();
        assertThat(handOut(9, "r1").messages()).extracting(DelayMessage::id).containsExactly(ids.get(0));
    }

    /** The index does not know which topics are pulled. */
    @Test
    default void withoutThatKnowledgeAllWait() {
        String id = idsIn(index(), 0, 1).get(0);
        index().schedule(List.of(message(id, PULLED, now() - 1000)));
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.WAITING);
    }

    /** Due messages that no scan has met yet stay before the new ones. */
    @Test
    default void theOrderIsThatOfTheDueTimes() {
        List<String> ids = idsIn(index(), 0, 4);
        long due = now() - 2000;
        index().schedule(List.of(message(ids.get(2), PULLED, due + 2), message(ids.get(0), PULLED, due)));
        scheduleNow(index(), message(ids.get(3), PULLED, due + 3), message(ids.get(1), PULLED, due + 1));
        assertThat(handOut(9, "r1").messages()).extracting(DelayMessage::id).containsExactlyElementsOf(ids);
        assertThat(bucket(0).strays().orphans()).isZero();
    }

    /** The leader counts the attempt of a hold that has ended. */
    @Test
    default void aHoldThatHasEndedStaysWithTheLeader() {
        List<String> ids = idsIn(index(), 0, 2);
        scheduleNow(index(), message(ids.get(0), PULLED, now() - 1000));
        long until = handOut(1, Duration.ofMillis(20), "r1").untilMs();
        await().until(() -> now() > until + 5);
        scheduleNow(index(), message(ids.get(1), PULLED, now() - 1000));
        assertThat(handOut(9, "r2").messages()).extracting(DelayMessage::id).containsExactly(ids.get(1));
        await().until(() -> !movePulled(0, HANDOVER).taken().isEmpty());
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEqualTo(Map.of(PULLED, List.of(ids.get(0))));
    }

    @Test
    default void aLaterVersionTakesThePlaceOfOneThatWaits() {
        String id = idsIn(index(), 0, 1).get(0);
        scheduleOne(message(id, PULLED, far()));
        scheduleNow(index(), message(id, PULLED, now() - 1000).asVersion(1));
        assertThat(handOut(9, "r1").messages()).singleElement().satisfies(message -> assertThat(message.version())
                .isEqualTo(1));
        assertThat(scheduleNow(index(), message(id, PULLED, now() - 1000).asVersion(1)))
                .as("known: a consumer holds it")
                .containsExactly(ScheduleOutcome.KNOWN);
        assertThat(bucket(0).strays().orphans()).isZero();
    }

    @Test
    default void aVetoedMessageIsNotReady() {
        String id = idsIn(index(), 0, 1).get(0);
        index().veto(Refs.first(id));
        assertThat(scheduleNow(index(), message(id, PULLED, now() - 1000))).containsExactly(ScheduleOutcome.VETOED);
        assertThat(holds().readyTopics()).isEmpty();
    }

    /** A message that was withdrawn from its list and comes again is handed out once. */
    @Test
    default void anEntryOfARemovedMessageDoesNotCountTwice() {
        String id = idsIn(index(), 0, 1).get(0);
        scheduleNow(index(), message(id, PULLED, now() - 1000));
        assertThat(index().purge(Refs.first(id))).isEmpty();
        scheduleNow(index(), message(id, PULLED, now() - 1000));
        assertThat(handOut(9, "r1").messages()).extracting(DelayMessage::id).containsExactly(id);
        assertThat(handOut(9, "r2").messages()).isEmpty();
        assertThat(bucket(0).strays().orphans()).isZero();
    }

    /** The leader compares such a bucket with the store first. */
    @Test
    default void aBucketThatIsNotWholeMakesNothingReady() {
        String id = idsIn(index(), 0, 1).get(0);
        loseEverything();
        scheduleNow(index(), message(id, PULLED, now() - 1000));
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.WAITING);
        assertThat(holds().readyTopics()).isEmpty();
    }

    @Test
    default void allNodesAreTold() {
        Set<String> told = ConcurrentHashMap.newKeySet();
        try (MessageIndex other = otherNode()) {
            holds().onReady((bucket, topic) -> told.add("this " + bucket + " " + topic));
            other.holds().onReady((bucket, topic) -> told.add("other " + bucket + " " + topic));
            await().until(() -> {
                for (String id : idsIn(index(), 0, 3)) {
                    scheduleNow(index(), message(id + told.size(), PULLED, now() - 1000));
                }
                return told.stream().anyMatch(each -> each.startsWith("this"))
                        && told.stream().anyMatch(each -> each.startsWith("other"));
            });
        }
    }
}
