package io.mykit.delay.queue.operator;

import static io.mykit.delay.common.message.DeadReason.ATTEMPTS;
import static io.mykit.delay.common.message.DeadReason.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.store.DeadNote;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadGroupsTest {
    @Test
    void numbersDoNotMakeAnotherCauseAndStatusesDo() {
        DeadGroups groups = DeadGroups.of(List.of(
                note(ATTEMPTS, "HTTP 503 from 10.0.0.1:8080", 9),
                note(ATTEMPTS, "HTTP 503 from 10.0.0.12:80", 7),
                note(ATTEMPTS, "HTTP 429, Retry-After 30 s", 5),
                note(REFUSED, "HTTP 410 from 10.0.0.1:8080", 8),
                note(ATTEMPTS, "", 1)));
        assertThat(groups.of()).isEqualTo(5);
        assertThat(groups.groups())
                .containsExactly(
                        new DeadGroup(ATTEMPTS, "HTTP 503 from #.#.#.#:#", 2, 9),
                        new DeadGroup(ATTEMPTS, "", 1, 1),
                        new DeadGroup(REFUSED, "HTTP 410 from #.#.#.#:#", 1, 8),
                        new DeadGroup(ATTEMPTS, "HTTP 429, Retry-After # s", 1, 5));
    }

    @Test
    void theIdOfARequestDoesNotMakeAnotherCause() {
        DeadGroups groups = DeadGroups.of(List.of(
                note(REFUSED, "HTTP 410: {\"trace\":\"0af7651916cd43dd8448eb211c80319c\",\"error\":\"sold\"}", 9),
                note(REFUSED, "HTTP 410: {\"trace\":\"b9c7c989-f979-11e5-9ce9-5ef75e90d0f1\",\"error\":\"sold\"}", 8)));
        assertThat(groups.groups())
                .containsExactly(new DeadGroup(REFUSED, "HTTP 410: {\"trace\":\"#\",\"error\":\"sold\"}", 2, 9));
    }

    @Test
    void longTextsAreCutAndFewGroupsAreShown() {
        assertThat(DeadGroups.of(List.of(note(ATTEMPTS, "x".repeat(79) + "\uD83D\uDE00y", 1)))
                        .groups())
                .extracting(DeadGroup::text)
                .containsExactly("x".repeat(79));
        List<DeadNote> many = IntStream.range(0, 300)
                .mapToObj(i -> note(ATTEMPTS, "cause " + (char) ('A' + i), i))
                .toList();
        assertThat(DeadGroups.of(many).groups()).hasSize(50);
    }

    private static DeadNote note(DeadReason reason, String detail, long atMs) {
        return new DeadNote(reason, detail, atMs);
    }
}
