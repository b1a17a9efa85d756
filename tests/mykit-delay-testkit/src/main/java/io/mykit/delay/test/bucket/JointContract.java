package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls of the owner on several buckets: each bucket answers as it would alone. */
interface JointContract extends IndexUnderTest {
    Handover FEW = new Handover(List.of(), 10, LEASE);

    @Test
    default void scansSeveralBucketsTogether() {
        List<String> ids = oneDueInEach();
        assertThat(index().nextDue(all())).extracting(Answer::bucket).containsExactly(0, 1, 2, 3);
        assertThat(index().nextDue(all())).extracting(Answer::orThrow).allMatch(due -> due > 0 && due < now());
        assertThat(taken(index().moveDue(all(), LIMIT, FEW))).containsExactlyElementsOf(ids);
        assertThat(index().moveDue(all(), LIMIT, FEW)).allSatisfy(answer -> {
            assertThat(answer.orThrow().moved()).isZero();
            assertThat(answer.orThrow().nextDueMs()).isEqualTo(-1);
        });
        assertThat(index().nextDue(all())).extracting(Answer::orThrow).containsOnly(-1L);
    }

    @Test
    default void settlesInSeveralBucketsTogether() {
        List<String> ids = oneDueInEach();
        index().moveDue(all(), LIMIT, FEW);
        List<OwnedBucket> some = List.of(bucket(3), bucket(1));
        List<Answer<Void>> answers = index().settle(some, List.of(List.of(ids.get(3)), List.of(ids.get(1), "unknown")));
        assertThat(answers).extracting(Answer::bucket).containsExactly(3, 1);
        assertThat(answers).extracting(Answer::failure).containsOnlyNulls();
        assertThat(index().locate(ids)).containsOnlyKeys(ids.get(0), ids.get(2));
    }

    @Test
    default void aBucketOfAnotherLeaderFailsAlone() {
        List<String> ids = oneDueInEach();
        List<OwnedBucket> all = all();
        index().claim(2, EPOCH + 1);
        assertThat(failed(index().nextDue(all))).containsExactly(2);
        assertThat(failed(index().moveDue(all, LIMIT, FEW))).containsExactly(2);
        assertThat(index().locate(ids)).hasSize(4);
        List<Answer<Void>> settled =
                index().settle(all, ids.stream().map(List::of).toList());
        assertThat(failed(settled)).containsExactly(2);
        assertThat(index().locate(ids)).containsOnlyKeys(ids.get(2));
    }

    @Test
    default void aScanBesideManyBusyTopicsFailsInTheBucketOfAnotherLeaderAlone() {
        List<String> ids = oneDueInEach();
        String other = idsIn(index(), 1, 2).get(1);
        scheduleOne(message(other, "free", now() - 1500));
        List<OwnedBucket> all = all();
        index().claim(2, EPOCH + 1);
        List<String> busy = Stream.concat(
                        Stream.of("t"), IntStream.range(0, 1000).mapToObj(i -> "busy" + i))
                .toList();
        List<Answer<ScanResult>> answers = index().moveDue(all, LIMIT, new Handover(busy, 10, LEASE));
        assertThat(answers).extracting(Answer::bucket).containsExactly(0, 1, 2, 3);
        assertThat(failed(answers)).containsExactly(2);
        assertThat(taken(answers.stream()
                        .filter(answer -> answer.failure() == null)
                        .toList()))
                .containsExactly(other);
        assertThat(index().locate(ids).values()).containsOnly(Location.READY, Location.WAITING);
    }

    private List<OwnedBucket> all() {
        return IntStream.range(0, BUCKETS).mapToObj(this::bucket).toList();
    }

    /** By bucket: the id of a message that was due more than a second ago, so that it is due by each clock. */
    private List<String> oneDueInEach() {
        List<String> ids = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            String id = idsIn(index(), bucket, 1).get(0);
            scheduleOne(message(id, "t", now() - 1500));
            ids.add(id);
        }
        return ids;
    }

    private static List<String> taken(List<Answer<ScanResult>> answers) {
        return answers.stream()
                .flatMap(answer -> answer.orThrow().taken().stream())
                .map(DelayMessage::id)
                .toList();
    }

    private static int fenced(Answer<?> answer) {
        assertThat(answer.failure()).isInstanceOf(FencedException.class);
        return answer.bucket();
    }

    private static List<Integer> failed(List<? extends Answer<?>> answers) {
        return answers.stream()
                .filter(answer -> answer.failure() != null)
                .map(JointContract::fenced)
                .toList();
    }
}
