package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderTest {
    private static Lane push(long id, String message, String bizKey) {
        return new Lane(id, Operation.PUSH, message, bizKey == null ? null : new Key("t", bizKey));
    }

    private static Lane cancel(long id, String message) {
        return new Lane(id, Operation.CANCEL, message, null);
    }

    private static Lane cancelOfKey(long id, String bizKey) {
        return new Lane(id, Operation.CANCEL_OF_KEY, null, new Key("t", bizKey));
    }

    private static Row row(Lane lane) {
        return new Row(lane, "t", "", Instant.EPOCH, Instant.EPOCH, 1);
    }

    @Test
    void aRowWaitsForAnEarlierOneOfItsMessage() {
        List<Lane> all = List.of(push(1, "a", null), push(2, "b", null), cancel(3, "a"), cancel(4, "b"));
        assertThat(Order.free(Set.of(2L, 3L, 4L), all)).containsExactlyInAnyOrder(2L, 4L);
    }

    @Test
    void aRowBehindAWaitingOneWaitsToo() {
        List<Lane> all = List.of(push(1, "a", null), cancel(2, "a"), push(3, "a", null));
        assertThat(Order.free(Set.of(2L, 3L), all)).isEmpty();
        assertThat(Order.free(Set.of(1L, 2L, 3L), all)).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(Order.free(Set.of(1L, 3L), all)).containsExactly(1L);
    }

    @Test
    void aCallOfAKeyWaitsForItsPushesAndTheyForIt() {
        List<Lane> all = List.of(push(1, "a", "k"), cancelOfKey(2, "k"), push(3, "b", "k"), cancelOfKey(4, "other"));
        assertThat(Order.free(Set.of(2L, 3L, 4L), all)).containsExactly(4L);
        assertThat(Order.free(Set.of(1L, 3L), all)).containsExactly(1L);
    }

    @Test
    void pushesOfOneKeyDoNotWaitForEachOther() {
        List<Lane> all = List.of(push(1, "a", "k"), push(2, "b", "k"));
        assertThat(Order.free(Set.of(2L), all)).containsExactly(2L);
    }

    @Test
    void aKeyOfAnotherTopicIsAnotherKey() {
        Lane other = new Lane(2, Operation.CANCEL_OF_KEY, null, new Key("u", "k"));
        assertThat(Order.free(Set.of(2L), List.of(push(1, "a", "k"), other))).containsExactly(2L);
    }

    @Test
    void callsOfOneMessageAreInPartsOfTheirOwn() {
        Row one = row(push(1, "a", null));
        Row two = row(cancel(2, "a"));
        Row three = row(push(3, "b", "k"));
        Row four = row(cancelOfKey(4, "k"));
        Row five = row(push(5, "a", "k"));
        assertThat(Order.parts(List.of(one, two, three, four, five)))
                .containsExactly(List.of(one, three), List.of(two, four), List.of(five));
        assertThat(Order.withoutThoseAfter(List.of(one), List.of(two, four))).containsExactly(four);
    }
}
