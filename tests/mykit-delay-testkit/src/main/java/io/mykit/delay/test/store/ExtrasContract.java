package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parts that few messages have. */
interface ExtrasContract extends StoreUnderTest {
    RetryOptions RETRY = new RetryOptions(6, null, null, null, List.of(1000L, 60_000L), 0.5);
    MessageExtras ALL = ExtrasBuilder.extras()
            .binary(true)
            .headers(Map.of("trace", "\uD83D\uDE80 'x' \\", "a.b", ""))
            .retry(RETRY)
            .ttr(60_000)
            .target(Map.of("url", "http://h/?a=\"b\""))
            .build();
    MessageExtras HEADER = ExtrasBuilder.extras().headers(Map.of("a", "b")).build();

    @Test
    default void keepsExtrasInEveryRead() {
        // Some before, between and after plain messages, over more than one statement.
        List<NewMessage> batch = IntStream.range(0, 300)
                .mapToObj(i -> message(String.format("e%03d", i), T0 + i))
                .map(plain -> plain.dueTimeMs() % 3 == 0 ? plain : plain.withExtras(ALL))
                .map(Messages::fresh)
                .toList();
        List<StoredMessage> stored = batch.stream()
                .map(item -> new StoredMessage(item.message(), DELAY, 0, NOW))
                .toList();
        List<String> ids = batch.stream().map(item -> item.message().id()).toList();

        assertThat(store().insert(batch)).containsOnly(InsertResult.INSERTED);

        assertThat(found(ids)).containsExactlyInAnyOrderElementsOf(stored);
        for (long bodies : new long[] {1, Long.MAX_VALUE}) {
            List<StoredMessage> parts = new ArrayList<>();
            store().find(ids, bodies, parts::addAll);
            assertThat(parts).containsExactlyInAnyOrderElementsOf(stored);
        }
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 400, Long.MAX_VALUE))
                .isEqualTo(new MessagePage(stored, true));
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 4, 1).rows())
                .isEqualTo(stored.subList(0, 1));
    }

    @Test
    default void otherExtrasAreAConflict() {
        store().insert(List.of(fresh(message("a", T0).withExtras(HEADER)), fresh(message("b", T0))));
        DelayMessage other = message("a", T0)
                .withExtras(ExtrasBuilder.extras().headers(Map.of("a", "c")).build());
        assertThat(store().insert(List.of(
                        fresh(message("a", T0).withExtras(HEADER)),
                        fresh(message("a", T0)),
                        fresh(other),
                        fresh(message("b", T0).withExtras(HEADER)))))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.SAME, Kind.CONFLICT, Kind.CONFLICT, Kind.CONFLICT);
    }

    @Test
    default void aMessageThatARetryMovedIsTheSame() {
        DelayMessage retried = message("r", T0).retriedAt(T0 + 60_000);
        store().insert(List.of(fresh(retried)));
        assertThat(store().find("r").orElseThrow().message()).isEqualTo(retried);
        assertThat(store().insert(List.of(fresh(message("r", T0)))))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.SAME);
    }

    @Test
    default void newContentHasItsOwnExtras() {
        store().insert(List.of(fresh(message("c", T0).withExtras(ALL).retriedAt(T0 + 5))));
        DelayMessage second = message("c", T0 + 7).withExtras(HEADER).asVersion(1);
        assertThat(store().rewrite(second, rewriting(0))).isTrue();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(second);
        DelayMessage plain = message("c", T0 + 9).asVersion(2);
        assertThat(store().rewrite(plain, rewriting(1))).isTrue();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(plain);
    }

    @Test
    default void keepsIdempotencyKeysThroughOtherChanges() {
        List<String> keys = List.of("k2", "\"'\\{k1}");
        DelayMessage first =
                message("c", T0).withExtras(ExtrasBuilder.extras().keys(keys).build());
        store().insert(List.of(fresh(first), fresh(message("plain", T0))));
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(first);
        assertThat(store().insert(List.of(fresh(message("c", T0)))))
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.kind()).as("keys are no content").isEqualTo(Kind.SAME);
                    assertThat(result.existing().message().extras().idempotencyKeys())
                            .isEqualTo(keys);
                });
        DelayMessage moved = first.dueAt(T0 + 5000).asVersion(1);
        assertThat(store().reschedule(List.of(new Rescheduling(moved, rewriting(0)))))
                .isEmpty();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(moved);
        DelayMessage second = message("c", T0 + 7).asVersion(2).replacing(moved);
        assertThat(store().rewrite(second, rewriting(1))).isTrue();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(second);
        assertThat(second.extras().idempotencyKeys()).isEqualTo(keys);
    }

    /** A repeat has another id, and is as long as the row without it. */
    @Test
    default void keepsTheIdOfTheRequestThatBroughtTheContent() {
        DelayMessage first = requested("c", "\"".repeat(128));
        DelayMessage repeat = requested("c", "r2");
        DelayMessage plain = message("c", T0);
        assertThat(store().insert(List.of(fresh(first), fresh(repeat), fresh(plain), fresh(message("plain", T0)))))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME, Kind.SAME, Kind.INSERTED);
        for (DelayMessage again : List.of(plain, repeat)) {
            assertThat(store().insert(List.of(fresh(again))))
                    .extracting(InsertResult::kind)
                    .containsExactly(Kind.SAME);
        }
        assertThat(store().insert(List.of(fresh(requested("plain", "r3")))))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.SAME);
        assertThat(found(List.of("c", "plain")))
                .extracting(row -> row.message().extras().requestId())
                .containsExactlyInAnyOrder(first.extras().requestId(), "");
        DelayMessage moved = first.dueAt(T0 + 5000).asVersion(1);
        assertThat(store().reschedule(List.of(new Rescheduling(moved, rewriting(0)))))
                .isEmpty();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(moved);
        assertThat(store().rewrite(repeat.asVersion(2), rewriting(1))).isTrue();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(repeat.asVersion(2));
        assertThat(store().rewrite(plain.asVersion(3), rewriting(2))).isTrue();
        assertThat(store().find("c").orElseThrow().message()).isEqualTo(plain.asVersion(3));
    }

    private static DelayMessage requested(String id, String requestId) {
        return message(id, T0)
                .withExtras(ExtrasBuilder.extras().requestId(requestId).build());
    }

    private static Transition rewriting(int version) {
        return new Transition("c", version, DELAY, List.of(new Transition.Step(DELAY, T0)), "tester", 0);
    }

    @Test
    default void optionsCountAsBodies() {
        MessageExtras large = ExtrasBuilder.extras()
                .headers(Map.of("a", "x".repeat(3000)))
                .target(Map.of("b", "y".repeat(3000)))
                .build();
        store().insert(IntStream.range(0, 9)
                .mapToObj(i -> fresh(message("l" + i, T0 + i).withExtras(large)))
                .toList());
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 9, 20_000)
                        .rows())
                .hasSize(3)
                .allMatch(row -> row.message().extras().equals(large));
        List<Integer> parts = new ArrayList<>();
        store().find(IntStream.range(0, 9).mapToObj(i -> "l" + i).toList(), 20_000, part -> parts.add(part.size()));
        assertThat(parts).allMatch(size -> size <= 3);
        assertThat(parts.stream().mapToInt(size -> size).sum()).isEqualTo(9);
    }
}
