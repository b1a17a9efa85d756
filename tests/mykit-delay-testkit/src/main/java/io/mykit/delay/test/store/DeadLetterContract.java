package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.DeadReason.ATTEMPTS;
import static io.mykit.delay.common.message.DeadReason.REFUSED;
import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.MoveResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Dead letters: a row by topic exactly while the message is FAILED. */
interface DeadLetterContract extends StoreUnderTest {
    @Test
    default void aDeadLetterIsListedWithItsReason() {
        store().insert(List.of(fresh("a"), fresh("b")));
        store().move(List.of(dead("a", REFUSED, T0 + 9, "the broker refuses it", 1), move("b", DELAY, READY, FINISH)));

        assertThat(page("orders"))
                .containsExactly(
                        new DeadLetter("a", "orders", "biz-a", 1, REFUSED, "the broker refuses it", T0 + 1000, T0 + 9));
        assertThat(store().deadLetter("a")).contains(page("orders").get(0));
        assertThat(store().deadLetter("b")).isEmpty();
        assertThat(store().countDead()).isEqualTo(1);
        assertThat(page("other")).isEmpty();
    }

    @Test
    default void aLongDetailIsCut() {
        store().insert(List.of(fresh("a")));
        store().move(List.of(dead("a", ATTEMPTS, T0, "\uD83D\uDE80".repeat(126), 3)));
        assertThat(page("orders"))
                .extracting(DeadLetter::detail)
                .allMatch(detail -> detail.startsWith("\uD83D\uDE80".repeat(125)));
    }

    @Test
    default void aChangeThatIsLeftOutLeavesNoDeadLetter() {
        store().insert(List.of(fresh("a"), fresh("b")));
        store().move(List.of(move("a", DELAY, DELETE)));
        assertThat(store().move(List.of(dead("a", ATTEMPTS, T0, "", 1), dead("b", ATTEMPTS, T0, "", 1))))
                .containsExactly("a");
        assertThat(page("orders")).extracting(DeadLetter::id).containsExactly("b");
    }

    @Test
    default void itIsGoneWithItsStatus() {
        store().insert(fresh("m", 4));
        store().insert(List.of(fresh("stays")));
        store().move(List.of(
                dead("m0000", ATTEMPTS, T0, "", 1),
                dead("m0001", ATTEMPTS, T0, "", 1),
                dead("m0002", ATTEMPTS, T0, "", 1),
                dead("m0003", ATTEMPTS, T0, "", 1),
                dead("stays", ATTEMPTS, T0, "", 1)));
        assertThat(store().countDead()).isEqualTo(5);
        assertThat(store().countDead(100)).isEqualTo(5);
        assertThat(store().countDead(3)).as("up to a limit").isEqualTo(3);

        assertThat(store().move(List.of(move("m0000", FAILED, DELETE)))).isEmpty();
        assertThat(store().rewrite(message("m0001", T0).asVersion(1), move("m0001", FAILED, RESTORE, DELAY)))
                .isTrue();
        assertThat(store().remove(FAILED, NOW + 1, List.of("m0002"))).isEqualTo(1);
        assertThat(store().move(List.of(move("m0003", FAILED, RESTORE), move("m0003", RESTORE, DELAY))))
                .isEmpty();

        assertThat(page("orders")).extracting(DeadLetter::id).containsExactly("stays");
        assertThat(store().countDead()).isEqualTo(1);
    }

    @Test
    default void pagesComeInOrderOfDeath() {
        store().insert(fresh("m", 5));
        store().move(List.of(
                dead("m0004", ATTEMPTS, T0 + 1, "", 1),
                dead("m0003", REFUSED, T0 + 2, "", 1),
                dead("m0001", ATTEMPTS, T0 + 2, "", 1),
                dead("m0002", ATTEMPTS, T0 + 2, "", 1),
                dead("m0000", REFUSED, T0 + 3, "", 1)));

        assertThat(page("orders"))
                .extracting(DeadLetter::id)
                .containsExactly("m0004", "m0001", "m0002", "m0003", "m0000");
        List<DeadLetter> first = store().deadLetters("orders", DeadQuery.ALL, DeadCursor.START, 2);
        assertThat(first).extracting(DeadLetter::id).containsExactly("m0004", "m0001");
        assertThat(store().deadLetters("orders", DeadQuery.ALL, first.get(1).cursor(), 10))
                .extracting(DeadLetter::id)
                .containsExactly("m0002", "m0003", "m0000");
        assertThat(ids(new DeadQuery(T0 + 2, T0 + 3, Optional.empty()))).containsExactly("m0001", "m0002", "m0003");
        assertThat(ids(new DeadQuery(T0 + 2, Long.MAX_VALUE, Optional.of(REFUSED))))
                .containsExactly("m0003", "m0000");
        assertThat(ids(DeadQuery.ALL.until(T0 + 2))).containsExactly("m0004");
        assertThat(store().countDead("orders", new DeadQuery(T0 + 2, T0 + 3, Optional.of(ATTEMPTS))))
                .isEqualTo(2);
    }

    @Test
    default void topicsAreCountedByPrefix() {
        insertDead("a", "shop/orders", T0 + 1);
        insertDead("b", "shop/orders", T0 + 4);
        insertDead("c", "shop/bills", T0 + 2);
        insertDead("d", "Shop/orders", T0 + 3);
        insertDead("e", "shop_", T0 + 3);

        DeadTopic bills = new DeadTopic("shop/bills", 1, T0 + 2, T0 + 2);
        DeadTopic orders = new DeadTopic("shop/orders", 2, T0 + 1, T0 + 4);
        assertThat(store().deadTopics("shop/", "", 10)).containsExactly(bills, orders);
        assertThat(store().deadTopics("shop/", "", 1)).containsExactly(bills);
        assertThat(store().deadTopics("shop/", "shop/bills", 10)).containsExactly(orders);
        assertThat(store().deadTopics("", "", 10))
                .extracting(DeadTopic::topic)
                .containsExactly("Shop/orders", "shop/bills", "shop/orders", "shop_");
        assertThat(store().deadTopics("shop%", "", 10)).isEmpty();
    }

    @Test
    default void reschedulesDeadLettersAsNextVersions() {
        store().insert(List.of(fresh("near"), fresh("far"), fresh("gone")));
        store().move(List.of(
                dead("near", ATTEMPTS, T0, "", 3), dead("far", ATTEMPTS, T0, "", 3), move("gone", DELAY, DELETE)));

        assertThat(store().reschedule(List.of(
                        again("near", T0 + 5000, DELAY),
                        again("gone", T0 + 5000, DELAY),
                        again("far", T0 + 9000, WAIT_PUT),
                        again("unknown", T0 + 5000, DELAY))))
                .containsExactlyInAnyOrder("gone", "unknown");

        DelayMessage near = message("near", T0 + 1000).dueAt(T0 + 5000).asVersion(1);
        assertThat(store().find("near")).contains(new StoredMessage(near, DELAY, 0, NOW));
        assertThat(store().find("far").orElseThrow().status()).isEqualTo(WAIT_PUT);
        assertThat(store().find("gone").orElseThrow().status()).isEqualTo(DELETE);
        assertThat(store().flow("near")).extracting(StatusFlow::to).endsWith(FAILED, RESTORE, DELAY);
        assertThat(store().countDead()).isZero();
        assertThat(store().reschedule(List.of(again("near", T0 + 5000, DELAY)))).containsExactly("near");
    }

    @Test
    default void aReschedulingIsOfTheNextVersion() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rescheduling(message("a", T0), move("a", FAILED, RESTORE, DELAY)));
    }

    @Test
    default void aFurtherMessageIsInsertedWithItsChange() {
        store().insert(List.of(fresh("a"), fresh("b"), fresh("c"), fresh("taken")));
        store().move(List.of(move("b", DELAY, DELETE)));
        NewMessage copyOfA = fresh("copy of a");

        MoveResult result = store().move(
                        List.of(
                                dead("a", ATTEMPTS, T0, "", 1),
                                dead("b", ATTEMPTS, T0, "", 1),
                                dead("c", ATTEMPTS, T0, "", 1)),
                        Map.of("a", copyOfA, "b", fresh("copy of b"), "c", fresh("taken")));

        assertThat(result.leftOut()).containsExactly("b");
        assertThat(result.inserted()).containsExactly(copyOfA);
        assertThat(store().find("copy of a").orElseThrow().message()).isEqualTo(copyOfA.message());
        assertThat(store().flow("copy of a")).hasSize(1);
        assertThat(store().find("copy of b")).isEmpty();
        assertThat(store().flow("taken")).hasSize(1);
        assertThat(store().find("c").orElseThrow().status()).isEqualTo(FAILED);
    }

    private List<DeadLetter> page(String topic) {
        return store().deadLetters(topic, DeadQuery.ALL, DeadCursor.START, 100);
    }

    private List<String> ids(DeadQuery query) {
        return store().deadLetters("orders", query, DeadCursor.START, 100).stream()
                .map(DeadLetter::id)
                .toList();
    }

    private void insertDead(String id, String topic, long deadMs) {
        store().insert(List.of(
                fresh(MessageBuilder.withId(id).topic(topic).created(T0).build())));
        store().move(List.of(dead(id, ATTEMPTS, deadMs, "", 1)));
    }

    private static Transition dead(String id, DeadReason reason, long atMs, String detail, int attempts) {
        List<Transition.Step> steps =
                List.of(new Transition.Step(READY, T0), new Transition.Step(FAILED, atMs, detail, reason));
        return new Transition(id, 0, DELAY, steps, "tester", attempts);
    }

    private static Rescheduling again(String id, long dueMs, MessageStatus to) {
        DelayMessage message = message(id, T0 + 1000).dueAt(dueMs).asVersion(1);
        return new Rescheduling(message, move(id, FAILED, RESTORE, to));
    }
}
