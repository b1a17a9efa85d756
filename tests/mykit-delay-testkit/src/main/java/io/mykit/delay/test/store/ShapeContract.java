package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of every size: nothing is lost or mixed up where one statement ends and the next begins. */
interface ShapeContract extends StoreUnderTest {
    String AWKWARD = "'\"\\ ? ), (\uD83D\uDE80\u00FC`;--";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 31, 33, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1000, 1025})
    default void aBatchOfAnySizeGoesAllItsWay(int size) {
        List<NewMessage> batch = awkward(size);
        List<String> ids = ids(batch);
        assertThat(store().insert(batch)).hasSize(size).containsOnly(InsertResult.INSERTED);
        assertThat(found(ids))
                .extracting(stored -> stored.message())
                .containsExactlyInAnyOrderElementsOf(
                        batch.stream().map(NewMessage::message).toList());
        assertThat(store().states(ids)).containsExactlyInAnyOrderElementsOf(states(batch));

        assertThat(store().move(ids.stream()
                        .map(id -> move(id, DELAY, READY, FINISH))
                        .toList()))
                .isEmpty();
        assertThat(store().states(ids)).hasSize(size).allMatch(state -> state.status() == FINISH);
        assertThat(moves()).isEqualTo(3L * size);
        for (String id : List.of(ids.get(0), ids.get(size / 2), ids.get(size - 1))) {
            assertThat(store().flow(id))
                    .extracting(StatusFlow::from, StatusFlow::to, StatusFlow::atMs)
                    .containsExactly(
                            tuple(null, DELAY, StoreFixture.NOW),
                            tuple(DELAY, READY, T0 + 5),
                            tuple(READY, FINISH, T0 + 5));
        }
    }

    @Test
    default void bodiesOfAllSizesInOneBatch() {
        List<NewMessage> batch = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            // Small ones, some which fill a statement together, and some which are too long for one.
            int length = i % 50 == 49 ? 700_000 : i % 7 == 0 ? 30_000 : 10;
            batch.add(fresh(message("body-" + i, ("'" + i % 10).repeat(length / 2))));
        }
        assertThat(store().insert(batch)).containsOnly(InsertResult.INSERTED);
        assertThat(found(ids(batch)))
                .extracting(stored -> stored.message())
                .containsExactlyInAnyOrderElementsOf(
                        batch.stream().map(NewMessage::message).toList());
        assertThat(moves()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255, 256, 300, 399})
    default void aDuplicateAnywhereSpoilsNothing(int position) {
        List<NewMessage> batch = awkward(400);
        DelayMessage taken = batch.get(position).message();
        store().insert(List.of(fresh(message(taken.id(), "was here before"))));

        List<NewMessage> asked = new ArrayList<>(batch);
        asked.add(batch.get((position + 1) % 400));
        asked.add(0, batch.get((position + 200) % 400));
        List<InsertResult> results = store().insert(asked);

        assertThat(results.get(position + 1).kind()).isEqualTo(Kind.CONFLICT);
        assertThat(results.get(401).kind()).isEqualTo(Kind.SAME);
        assertThat(results.get(0).kind()).isEqualTo(Kind.INSERTED);
        assertThat(results).filteredOn(InsertResult.INSERTED::equals).hasSize(399);
        assertThat(rows()).isEqualTo(400);
        assertThat(moves()).isEqualTo(400);
        assertThat(store().find(taken.id()).orElseThrow().message().body()).isEqualTo("was here before");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 129, 600, 1000})
    default void someOfManyLoseTheirRace(int size) {
        List<NewMessage> batch = awkward(size);
        store().insert(batch);
        List<String> ids = ids(batch);
        Set<String> gone = new TreeSet<>();
        for (int i = 0; i < size; i += 97) {
            gone.add(ids.get(i));
        }
        assertThat(store().move(gone.stream().map(id -> move(id, DELAY, DELETE)).toList()))
                .isEmpty();

        List<String> shuffled = new ArrayList<>(ids);
        Collections.rotate(shuffled, 50);
        Stream<Transition> moves =
                Stream.concat(shuffled.stream(), Stream.of("unknown")).map(id -> move(id, DELAY, READY, FINISH));
        Set<String> lost = store().move(moves.toList());

        assertThat(lost).hasSize(gone.size() + 1).containsAll(gone).contains("unknown");
        assertThat(store().states(ids))
                .hasSize(size)
                .allMatch(state -> state.status() == (gone.contains(state.id()) ? DELETE : FINISH));
        assertThat(moves()).isEqualTo(3L * size - gone.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 300, 600})
    default void statesOfKnownUnknownAndRepeatedIds(int size) {
        List<NewMessage> batch = awkward(size);
        store().insert(batch);
        List<String> asked = new ArrayList<>(ids(batch));
        asked.addAll(ids(batch));
        IntStream.range(0, size).forEach(i -> asked.add("unknown-" + i));
        Collections.rotate(asked, size / 2);

        assertThat(store().states(asked)).containsExactlyInAnyOrderElementsOf(states(batch));
        assertThat(found(asked)).hasSize(size);
    }

    @Test
    default void differentMovesInOneCallStayApart() {
        List<NewMessage> batch = awkward(200);
        store().insert(batch);
        List<Transition> moves = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String detail = i % 3 == 0 ? "" : "because of " + i;
            Transition.Step step = new Transition.Step(i % 2 == 0 ? READY : DELETE, T0 + i, detail);
            moves.add(new Transition(batch.get(i).message().id(), 0, DELAY, List.of(step), "thread-" + i, i % 5));
        }
        assertThat(store().move(moves)).isEmpty();
        for (int i = 0; i < 200; i += 13) {
            Transition move = moves.get(i);
            Transition.Step step = move.steps().get(0);
            assertThat(store().flow(move.id()))
                    .element(1)
                    .isEqualTo(new StatusFlow(
                            move.id(),
                            DELAY,
                            step.to(),
                            step.atMs(),
                            move.thread(),
                            "node-1",
                            move.attempts(),
                            step.detail()));
            assertThat(store().states(List.of(move.id())))
                    .extracting(RowState::status, RowState::attempts)
                    .containsExactly(tuple(step.to(), i % 5));
        }
    }

    private static List<NewMessage> awkward(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> fresh(message(String.format("%04d", i) + AWKWARD, T0 + 1000 + i)))
                .toList();
    }

    private static List<String> ids(List<NewMessage> batch) {
        return batch.stream().map(item -> item.message().id()).toList();
    }

    private static List<RowState> states(List<NewMessage> batch) {
        return batch.stream()
                .map(NewMessage::message)
                .map(message -> new RowState(message.id(), 0, DELAY, message.dueTimeMs(), NOW, 0, NOW))
                .toList();
    }
}
