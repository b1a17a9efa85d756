package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inserts: the stored columns, repeated messages and conflicts. */
interface InsertContract extends StoreUnderTest {
    @Test
    default void keepsEveryFieldOfAMessage() {
        DelayMessage message = MessageBuilder.withId("20")
                .topic("ces")
                .subtopic("sub")
                .bizKey("biz-7")
                .body("{hello world}")
                .created(T0)
                .delay(10_000)
                .priority(9)
                .ttl(12)
                .build();

        assertThat(store().insert(List.of(new NewMessage(message, WAIT_PUT)))).containsExactly(InsertResult.INSERTED);

        assertThat(store().find("20")).contains(new StoredMessage(message, WAIT_PUT, 0, NOW));
        assertThat(store().states(List.of("20")))
                .containsExactly(new RowState("20", 0, WAIT_PUT, T0 + 10_000, NOW, 0, NOW));
        String thread = Thread.currentThread().getName();
        assertThat(store().flow("20"))
                .containsExactly(new StatusFlow("20", null, WAIT_PUT, NOW, thread, "node-1", 0, ""));
        assertThat(store().find("21")).isEmpty();
        assertThat(store().flow("21")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\uD83D\uDE80 \u4F60\u597D \u00FC",
                "nul\0inside\0",
                "\\ ' \" % _ ` \r\n\t ? ;",
                "\0",
                "  "
            })
    default void keepsEveryCharacter(String text) {
        String id = "i" + text + "i";
        DelayMessage message = MessageBuilder.withId(id)
                .topic("t" + text)
                .subtopic(text + "s")
                .bizKey(text + "b")
                .body(text)
                .created(T0)
                .delay(1)
                .build();
        store().insert(List.of(fresh(message)));

        assertThat(store().find(id).orElseThrow().message()).isEqualTo(message);
        assertThat(store().move(List.of(move(id, DELAY, READY)))).isEmpty();
        assertThat(store().flow(id)).hasSize(2);
    }

    @Test
    default void keepsLongBodies() {
        String body = "\uD83D\uDE80\0'x".repeat(1 << 18);
        List<NewMessage> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batch.add(fresh(message("long-" + i, body + i)));
        }
        assertThat(store().insert(batch)).allMatch(r -> r.kind() == Kind.INSERTED);
        assertThat(store().find("long-19").orElseThrow().message().body()).isEqualTo(body + 19);
    }

    @Test
    default void idsThatDifferInCaseOrAccentAreDifferent() {
        List<String> ids = List.of("id", "ID", "Id", "\u00EDd", "i\u0301d");
        assertThat(store().insert(ids.stream().map(Messages::fresh).toList())).allMatch(r -> r.kind() == Kind.INSERTED);
        assertThat(found(ids)).hasSize(5);
        assertThat(store().find("iD")).isEmpty();
    }

    @Test
    default void sameContentIsARetryAndOtherContentAConflict() {
        store().insert(List.of(fresh("a"), fresh("b")));

        List<InsertResult> results =
                store().insert(List.of(fresh("new"), fresh("a"), fresh(message("b", "other")), fresh("newer")));

        assertThat(results)
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME, Kind.CONFLICT, Kind.INSERTED);
        assertThat(results.get(1).existing().message()).isEqualTo(fresh("a").message());
        assertThat(results.get(2).existing().status()).isEqualTo(DELAY);
        assertThat(store().find("b").orElseThrow().message())
                .isEqualTo(fresh("b").message());
        assertThat(store().flow("a")).hasSize(1);
        assertThat(moves()).isEqualTo(4);
    }

    /** Bodies that were there before are compared, but not all in memory at once, and not kept. */
    @Test
    default void largeBodiesAreComparedToo() {
        String large = "\u4e2d".repeat(300_000);
        List<NewMessage> stored = IntStream.range(0, 40)
                .mapToObj(i -> fresh(message("l" + i, large + i)))
                .toList();
        store().insert(stored);

        List<NewMessage> pushed = new ArrayList<>(stored.subList(0, 30));
        pushed.add(fresh(message("l30", "")));
        pushed.add(fresh(message("l31", large)));
        pushed.add(fresh(message("l32", large + "xx")));
        pushed.add(fresh(message("new", large)));
        List<InsertResult> results = store().insert(pushed);

        assertThat(results.subList(0, 30)).extracting(InsertResult::kind).containsOnly(Kind.SAME);
        assertThat(results.get(7).existing().message()).isEqualTo(stored.get(7).message());
        assertThat(results.subList(30, 34))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.CONFLICT, Kind.CONFLICT, Kind.CONFLICT, Kind.INSERTED);
        assertThat(results.get(31).existing().message().body()).isEmpty();
    }

    @Test
    default void sameIdTwiceInABatch() {
        List<InsertResult> results =
                store().insert(List.of(fresh("a"), fresh("a"), fresh(message("a", "other")), fresh("b")));

        assertThat(results)
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME, Kind.CONFLICT, Kind.INSERTED);
        assertThat(store().flow("a")).hasSize(1);
        // The very same object twice is a repetition as well.
        NewMessage once = fresh("c");
        assertThat(store().insert(List.of(once, once)))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME);
    }

    @Test
    default void insertsNothingOfNothing() {
        assertThat(store().insert(List.of())).isEmpty();
        assertThat(found(List.of())).isEmpty();
        assertThat(store().states(List.of())).isEmpty();
        assertThat(store().move(List.of())).isEmpty();
    }

    @Test
    default void aBatchThatFailsLeavesNothing() {
        List<NewMessage> batch = new ArrayList<>(fresh("x", 1500));
        batch.add(fresh(MessageBuilder.withId("t".repeat(194))
                .topic("orders")
                .created(T0)
                .delay(1)
                .build()));

        assertThatThrownBy(() -> store().insert(batch))
                .isInstanceOf(DelayException.class)
                .isNotInstanceOf(StoreUnavailableException.class)
                .satisfies(e -> assertThat(((DelayException) e).code()).isEqualTo(ErrorCode.INTERNAL));
        assertThat(rows()).isZero();
        assertThat(moves()).isZero();
    }
}
