package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ids, topics and bodies of any kind. */
interface TextContract extends IndexUnderTest {
    @Test
    default void knowsGeneratedIds() {
        MessageIds generated = new MessageIds(() -> Instant.ofEpochMilli(now()));
        List<String> ids = Stream.generate(generated::next)
                .filter(id -> index().bucketOf(id) == 0)
                .limit(4)
                .toList();
        long due = now() - 100;
        for (String id : ids) {
            assertThat(scheduleOne(message(id, "t", due))).isEqualTo(ScheduleOutcome.SCHEDULED);
            assertThat(scheduleOne(message(id, "t", due))).isEqualTo(ScheduleOutcome.KNOWN);
        }
        assertThat(index().remove(ids.get(3)).message().id()).isEqualTo(ids.get(3));
        assertThat(index().locate(ids)).containsOnlyKeys(ids.subList(0, 3)).containsEntry(ids.get(0), Location.WAITING);
        move(0);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactlyElementsOf(ids.subList(0, 3));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).containsEntry("t", ids.subList(0, 3));
        assertThat(index().purge(Refs.first(ids))).containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));
        bucket(0).settle(List.of(ids.get(0)));
        bucket(0).park(List.of(OwnerCalls.outcome(ids.get(1))));
        assertThat(bucket(0).parked(10)).containsExactly(OwnerCalls.outcome(ids.get(1)));
        bucket(0).unpark(List.of(ids.get(1)));
        bucket(0).release("t", List.of(ids.get(2)), false);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(ids.get(2));
        bucket(0).postpone(List.of(message(ids.get(2), "t", due).retriedAt(far())), Set.of());
        assertThat(index().locate(ids)).containsExactly(Map.entry(ids.get(2), Location.WAITING));
    }

    @Test
    default void keepsExtrasAndFindsVersionAndTopicBeforeThem() {
        RetryOptions retry = new RetryOptions(6, null, null, null, List.of(1000L), 0.5);
        MessageExtras extras = ExtrasBuilder.extras()
                .binary(true)
                .headers(Map.of("trace", "\u4E2D"))
                .retry(retry)
                .ttr(60_000)
                .target(Map.of("url", "x"))
                .firstDue(now() - 5000)
                .build();
        String id = Messages.idsIn(index(), 1, 1).get(0);
        DelayMessage first = message(id, "t", far()).withExtras(extras);
        assertThat(scheduleOne(first)).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(scheduleOne(first)).isEqualTo(ScheduleOutcome.KNOWN);
        DelayMessage second = message(id, "u", now() - 100).withExtras(extras).asVersion(300);
        assertThat(scheduleOne(second)).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(scheduleOne(first.asVersion(299))).isEqualTo(ScheduleOutcome.KNOWN);
        move(1);
        assertThat(take(1, "u")).containsExactly(second);
        bucket(1).release("u", List.of(id), false);
        assertThat(take(1, "u")).containsExactly(second);
    }

    @Test
    default void takesAnyText() {
        List<String> texts = List.of(
                "\uD83D\uDE00 emoji",
                "nul\0nul",
                "{braces}",
                "}{",
                "with space",
                "a:b",
                "\u4E2D\u6587",
                "x".repeat(128));
        List<DelayMessage> messages = new ArrayList<>();
        for (String text : texts) {
            messages.add(MessageBuilder.withId(text)
                    .topic(text)
                    .subtopic(text)
                    .bizKey(text)
                    .body(text)
                    .created(now() - 1005)
                    .build());
        }
        messages.add(MessageBuilder.withId("plain")
                .created(now() - 1005)
                .priority(9)
                .ttl(Integer.MAX_VALUE)
                .build());
        assertThat(index().schedule(messages)).containsOnly(ScheduleOutcome.SCHEDULED);
        Set<DelayMessage> taken = new HashSet<>();
        for (int b = 0; b < index().buckets(); b++) {
            bucket(b).moveDue(LIMIT, Handover.NONE);
            for (String topic : bucket(b).ready().keySet()) {
                taken.addAll(take(b, topic));
            }
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(messages);
    }
}
