package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeadCopiesTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final DeadCopies copies = new DeadCopies(
            topic -> topic.equals(MemoryQueue.TOPIC) ? Optional.of("dead letters") : Optional.empty(),
            queue.scheduling()::schedule,
            new Namespaces(Set.of("shop", "bank")::contains));

    @Test
    void aDeadLetterIsCopiedWithItsStory() {
        MessageExtras extras = ExtrasBuilder.extras()
                .binary(true)
                .headers(Map.of("trace", "7"))
                .ttr(5)
                .target(Map.of("url", "http://h"))
                .firstDue(9)
                .build();
        DelayMessage dead = queue.message("a", 0).withExtras(extras);
        die(dead, "HTTP 500\nboom");

        DelayMessage copy = queue.store().find("dead:a").orElseThrow().message();
        assertThat(copy.topic()).isEqualTo("dead letters");
        assertThat(copy.body()).isEqualTo(dead.body());
        assertThat(copy.extras())
                .isEqualTo(ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of(
                                "trace",
                                "7",
                                "mykit-delay-dead-id",
                                "a",
                                "mykit-delay-dead-topic",
                                MemoryQueue.TOPIC,
                                "mykit-delay-dead-reason",
                                "REFUSED",
                                "mykit-delay-dead-detail",
                                "HTTP 500 boom",
                                "mykit-delay-dead-attempts",
                                "3"))
                        .build());
        assertThat(queue.location("dead:a")).isEqualTo(Location.WAITING);
    }

    @Test
    void aCopyIsNotCopied() {
        die(queue.message("a", 0), "no");
        DelayMessage copy = queue.store().find("dead:a").orElseThrow().message();
        copies.move(queue.store(), List.of(death(copy, "no")), Map.of(copy.id(), copy));
        assertThat(queue.status("dead:a")).isEqualTo(FAILED);
        assertThat(queue.store().rows()).isEqualTo(2);
    }

    @Test
    void otherTopicsAreNotCopied() {
        DelayMessage other = MessageBuilder.withId("a").topic("other").build();
        die(other, "no");
        assertThat(queue.store().rows()).isEqualTo(1);
    }

    @Test
    void aChangeThatIsLeftOutIsNotCopied() {
        DelayMessage message = queue.message("gone", 0);
        assertThat(copies.move(queue.store(), List.of(death(message, "no")), Map.of("gone", message)))
                .containsExactly("gone");
        assertThat(queue.store().rows()).isZero();
    }

    @Test
    void aCopyWhoseIdAProducerHasPushedGetsAnotherId() {
        queue.push("dead:a", 5_000);
        die(queue.message("a", 0), "no");
        assertThat(queue.store().find("dead:a").orElseThrow().message().topic()).isEqualTo(MemoryQueue.TOPIC);
        assertThat(queue.store().rows()).isEqualTo(3);
        List<String> ids = queue.store().search().byId("dead:a~", "", 10).stream()
                .map(FoundMessage::id)
                .toList();
        assertThat(ids).singleElement().satisfies(id -> {
            assertThat(queue.store().find(id).orElseThrow().message().extras().headers())
                    .containsEntry("mykit-delay-dead-id", "a");
            assertThat(queue.location(id)).isEqualTo(Location.WAITING);
        });
    }

    /** The answer to the commit of the move was lost, and the store did it again. */
    @Test
    void aCopyThatIsThereIsNotInsertedAgain() {
        DelayMessage message = queue.message("a", 0);
        die(message, "no");
        Transition restored = new Transition(
                "a", 0, FAILED, List.of(new Transition.Step(RESTORE, 0), new Transition.Step(DELAY, 0)), "test", 0);
        queue.store().move(List.of(restored));
        assertThat(copies.move(queue.store(), List.of(death(message, "no")), Map.of("a", message)))
                .isEmpty();
        assertThat(queue.store().rows()).isEqualTo(2);
    }

    @Test
    void eachVersionHasACopyOfItsOwn() {
        DelayMessage message = queue.message("a", 0);
        assertThat(copies.id(message, "t")).isEqualTo("dead:a");
        assertThat(copies.id(message.asVersion(2), "t")).isEqualTo("dead:a.2");
    }

    @Test
    void aLongIdEndsWithAHash() {
        String long1 = copies.id(queue.message("x".repeat(127) + "1", 0), "t");
        String long2 = copies.id(queue.message("x".repeat(127) + "2", 0), "t");
        assertThat(long1).hasSize(MessageLimits.MAX_ID).isNotEqualTo(long2);
        assertThat(copies.id(queue.message("\uD83D\uDE00".repeat(64), 0), "t").length())
                .isLessThanOrEqualTo(MessageLimits.MAX_ID);
    }

    /** So a token of the namespace that pulls a copy can name it. */
    @Test
    void aCopyIsInANamespaceWithItsTopicAndItsIdOrWithNeither() {
        DelayMessage dead = queue.message("shop/20", 0);
        assertThat(copies.id(dead, "shop/dead")).isEqualTo("shop/dead:20");
        assertThat(copies.id(dead.asVersion(1), "shop/dead")).isEqualTo("shop/dead:20.1");
        assertThat(copies.id(dead, "graves")).isEqualTo("dead:shop/20");
        assertThat(copies.id(dead, "bank/dead")).isEqualTo("bank/dead:shop/20");
        assertThat(copies.id(dead, "other/dead")).as("no namespace").isEqualTo("dead:shop/20");
        assertThat(copies.id(queue.message("20", 0), "shop/dead")).isEqualTo("shop/dead:20");
        assertThat(copies.id(queue.message("shop/" + "x".repeat(128), 0), "shop/dead"))
                .startsWith("shop/dead:xx")
                .hasSize("shop/".length() + MessageLimits.MAX_ID);
    }

    /** Such as the copy of another message, whose id has no prefix. */
    @Test
    void aCopyInANamespaceStaysThereIfItsIdIsTaken() {
        DeadCopies toShop = new DeadCopies(
                topic -> Optional.of("shop/dead"), queue.scheduling()::schedule, new Namespaces("shop"::equals));
        queue.push("shop/dead:20", 5_000);
        DelayMessage dead = queue.message("shop/20", 0);
        queue.store().insert(List.of(new NewMessage(dead, DELAY)));
        toShop.move(queue.store(), List.of(death(dead, "no")), Map.of(dead.id(), dead));
        assertThat(queue.store().search().byId("shop/dead:20~", "", 10)).hasSize(1);
    }

    private void die(DelayMessage message, String detail) {
        queue.store().insert(List.of(new NewMessage(message, DELAY)));
        assertThat(copies.move(queue.store(), List.of(death(message, detail)), Map.of(message.id(), message)))
                .isEmpty();
    }

    private static Transition death(DelayMessage message, String detail) {
        List<Transition.Step> steps = List.of(
                new Transition.Step(READY, message.dueTimeMs()),
                new Transition.Step(FAILED, message.dueTimeMs(), detail, DeadReason.REFUSED));
        return new Transition(message.id(), message.version(), DELAY, steps, "test", 3);
    }
}
