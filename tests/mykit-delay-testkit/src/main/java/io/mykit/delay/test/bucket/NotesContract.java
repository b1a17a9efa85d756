package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.bucket.NodeNotes.CallEnd;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What nodes tell each other about themselves, and the numbers of messages. */
interface NotesContract extends IndexUnderTest {
    private NodeNotes notes() {
        return index().notes();
    }

    @Test
    default void eachNodeReadsTheNotesOfAll() {
        assertThat(notes().all()).isEmpty();
        notes().write("a:1", "100 {\"a\":1}", "", 0);
        try (MessageIndex other = otherNode()) {
            other.notes().write("b:{x}:2", "101 中 🚀", "", 0);
            notes().write("a:1", "105 later", "", 0);
            assertThat(other.notes().all()).isEqualTo(Map.of("a:1", "105 later", "b:{x}:2", "101 中 🚀"));
        }
    }

    @Test
    default void oldNotesAreRemovedOnRequest() {
        notes().write("old", "1800000000000 x", "", 0);
        notes().write("young", "1800000060001 x", "", 0);
        notes().write("own", "1800000060002 x", "", 0);
        assertThat(notes().all()).hasSize(3);
        notes().write("own", "1800000060003 x", "", 1_800_000_060_000L);
        assertThat(notes().all()).containsOnlyKeys("young", "own");
    }

    @Test
    default void theLastSamplesOfAnHourAreKept() {
        IntStream.range(0, 800).forEach(i -> notes().write("a", "1 x", "s" + i, 0));
        notes().write("a", "1 x", "", 0);
        notes().write("b", "1 x", "of b", 0);
        Map<String, List<String>> samples = notes().samples(Map.of("a", 2, "b", 720, "none", 10));
        assertThat(samples).containsEntry("a", List.of("s798", "s799"));
        assertThat(samples).containsEntry("b", List.of("of b")).containsEntry("none", List.of());
        assertThat(notes().samples(Map.of("a", 1000)).get("a"))
                .hasSizeBetween(720, 750)
                .endsWith("s799");
    }

    @Test
    default void theMinutesOfAnHourAreKeptForEachTopic() {
        IntStream.range(0, 70).forEach(i -> notes().writeMinutes("a", Map.of("", "o" + i, "t:{x}", "m" + i)));
        notes().writeMinutes("b", Map.of("", "of b"));
        Map<String, List<String>> minutes = notes().minutes(List.of("a", "b", "none"), "t:{x}");
        assertThat(minutes.get("a")).hasSize(60).startsWith("m10").endsWith("m69");
        assertThat(minutes).containsEntry("b", List.of()).containsEntry("none", List.of());
        assertThat(notes().minutes(List.of("b"), "")).containsEntry("b", List.of("of b"));
    }

    @Test
    default void theLastFiftyCallsAreKept() {
        for (CallEnd end : CallEnd.values()) {
            assertThat(notes().calls(end)).isEmpty();
            notes().writeCalls(
                            end,
                            IntStream.range(0, 30).mapToObj(i -> end + "" + i).toList());
            notes().writeCalls(
                            end,
                            IntStream.range(30, 60).mapToObj(i -> end + "" + i).toList());
        }
        for (CallEnd end : CallEnd.values()) {
            assertThat(notes().calls(end)).hasSize(50).startsWith(end + "10").endsWith(end + "59");
        }
    }

    @Test
    default void aNodeReadsOnceWhatItIsAskedToStop() {
        notes().stop("a", "a-7");
        notes().stop("a", "a-8");
        notes().stop("b", "b-1");
        assertThat(notes().stops("a")).containsExactlyInAnyOrder("a-7", "a-8");
        assertThat(notes().stops("a")).isEmpty();
        assertThat(notes().stops("b")).containsExactly("b-1");
        assertThat(notes().stops("none")).isEmpty();
    }

    @Test
    default void countsTheMessagesOfAllBuckets() {
        assertThat(index().near()).isEqualTo(new NearCount(0, 0, 0));
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            scheduleOne(message(idsIn(index(), bucket, 2).get(1), "t", far()));
        }
        String taken = oneTaken();
        assertThat(index().near()).isEqualTo(new NearCount(5, 1, 0));
        bucket(0).park(List.of(OwnerCalls.outcome(taken)));
        assertThat(index().near()).isEqualTo(new NearCount(4, 0, 1));
    }
}
