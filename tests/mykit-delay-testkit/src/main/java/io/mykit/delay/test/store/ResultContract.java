package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Results: stored with the change to FINISH, and there exactly while the message is FINISH. */
interface ResultContract extends StoreUnderTest {
    @Test
    default void aResultIsStoredWithTheEndOfItsMessage() {
        MessageResult text = new MessageResult("{\"sum\":7, \"name\":\"\uD83D\uDE80 '\\\n\"}", false);
        MessageResult bytes = MessageResult.ofBytes(new byte[] {0, -1, 7});
        MessageResult empty = new MessageResult("", false);
        store().insert(List.of(fresh("text"), fresh("bytes"), fresh("empty"), fresh("none"), fresh("waits")));

        assertThat(store().move(List.of(
                        finish("text", text), finish("bytes", bytes), finish("empty", empty), finish("none", null))))
                .isEmpty();

        assertThat(bytes.binary()).isTrue();
        assertThat(store().result("text")).contains(text);
        assertThat(store().result("bytes")).contains(bytes);
        assertThat(store().result("empty")).contains(empty);
        for (String without : List.of("none", "waits", "unknown")) {
            assertThat(store().result(without)).isEmpty();
        }
        assertThat(store().flow("text")).hasSize(3);
    }

    @Test
    default void manyLargeResultsAreStoredTogether() {
        List<NewMessage> batch = fresh("m", 60);
        store().insert(batch);
        List<Transition> ends = new ArrayList<>();
        batch.forEach(item ->
                ends.add(finish(item.message().id(), large(item.message().id()))));

        assertThat(store().move(ends)).isEmpty();

        for (Transition end : ends) {
            assertThat(store().result(end.id())).contains(large(end.id()));
        }
    }

    @Test
    default void theFirstResultWins() {
        MessageResult first = new MessageResult("first", false);
        store().insert(List.of(fresh("a"), fresh("b")));
        store().move(List.of(finish("a", first)));

        assertThat(store().move(List.of(
                        finish("a", new MessageResult("second", false)),
                        finish("b", new MessageResult("of b", false)))))
                .containsExactly("a");

        assertThat(store().result("a")).contains(first);
        assertThat(store().result("b")).contains(new MessageResult("of b", false));
    }

    @Test
    default void aResultIsGoneWithItsStatus() {
        MessageResult result = new MessageResult("r", false);
        store().insert(fresh("m", 4));
        store().insert(List.of(fresh("stays")));
        store().move(List.of(
                finish("m0000", result),
                finish("m0001", result),
                finish("m0002", result),
                finish("m0003", result),
                finish("stays", result)));

        store().move(List.of(move("m0000", FINISH, RESTORE, DELAY)));
        store().move(List.of(move("m0000", DELAY, READY, FINISH)));
        assertThat(store().rewrite(message("m0001", T0).asVersion(1), move("m0001", FINISH, RESTORE, DELAY)))
                .isTrue();
        assertThat(store().remove(FINISH, NOW + 1, List.of("m0002"))).isEqualTo(1);
        store().insert(List.of(fresh("m0002")));
        store().move(List.of(move("m0002", DELAY, READY, FINISH)));
        Rescheduling again = new Rescheduling(
                message("m0003", T0 + 1000).dueAt(T0 + 5000).asVersion(1), move("m0003", FINISH, RESTORE, DELAY));
        assertThat(store().reschedule(List.of(again))).isEmpty();

        for (int i = 0; i < 4; i++) {
            assertThat(store().result("m000" + i)).isEmpty();
        }
        assertThat(store().result("stays")).contains(result);
    }

    @Test
    default void onlyAMessageThatFinishesHasAResult() {
        MessageResult result = new MessageResult("r", false);
        for (Transition other : List.of(move("a", DELAY, READY, FAILED), move("a", DELAY, DELETE))) {
            assertThatIllegalArgumentException().isThrownBy(() -> other.withResult(result));
        }
    }

    private static Transition finish(String id, MessageResult result) {
        return move(id, DELAY, READY, FINISH).withResult(result);
    }

    /** Random bytes, as large as a result may be. */
    private static MessageResult large(String id) {
        byte[] bytes = new byte[MessageLimits.MAX_RESULT_BYTES];
        new Random(id.hashCode()).nextBytes(bytes);
        return MessageResult.ofBytes(bytes);
    }
}
