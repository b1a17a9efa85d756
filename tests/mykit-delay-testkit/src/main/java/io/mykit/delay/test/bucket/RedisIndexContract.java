package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the index on every kind of Redis. Each test has a queue of its own on a server that it shares with others. */
public abstract class RedisIndexContract implements IndexContract {
    private static final AtomicInteger QUEUES = new AtomicInteger();
    /** The contract has no timeouts. A busy machine stops a server for seconds, and 5 MiB of bodies wait for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final OwnedBucket[] owned = new OwnedBucket[BUCKETS];
    private IndexSettings settings;
    private MessageIndex index;
    private RedisView view;
    private Set<String> keysBefore;

    protected abstract String uri();

    /** The servers that have the keys. */
    protected abstract List<RedisServer> masters();

    @BeforeEach
    void open() {
        settings = new IndexSettings(uri(), "q" + QUEUES.incrementAndGet()).withTimeout(PATIENCE);
        view = new RedisView(masters(), settings.prefix(), settings.name(), settings.buckets());
        view.loseEverything();
        keysBefore = view.allKeys();
        index = settings.open();
        for (int b = 0; b < owned.length; b++) {
            owned[b] = index.claim(b, EPOCH);
            assertThat(owned[b].found()).isEqualTo(ClaimResult.LOST);
            owned[b].markRestored();
        }
    }

    @AfterEach
    void close() {
        index.close();
        view.assertNoOrphans();
        view.loseNotes();
        Set<String> others = view.allKeys();
        others.removeAll(view.keys());
        assertThat(keysBefore).as("keys of others").containsAll(others);
        view.loseEverything();
    }

    @Override
    public MessageIndex index() {
        return index;
    }

    @Override
    public MessageIndex otherNode() {
        return settings.open();
    }

    @Override
    public OwnedBucket bucket(int bucket) {
        return owned[bucket];
    }

    @Override
    public void loseEverything() {
        view.loseEverything();
    }

    @Override
    public Object everything() {
        return view.dump();
    }

    @Override
    public Runnable rememberEpoch(int bucket) {
        String key = view.key(bucket, "epoch");
        String claim = claim(bucket);
        return () -> view.run("SET", key, claim);
    }

    @Override
    public void claimedElsewhere(int bucket) {
        String claim = claim(bucket);
        assertThat(claim).as("epoch, turn, run id").matches("\\d+ \\d+ [0-9a-f]{40}(@\\d+)?");
        view.run("SET", view.key(bucket, "epoch"), claim.substring(0, claim.length() - 1) + "x");
        assertThatThrownBy(() -> bucket(bucket).moveDue(LIMIT, Handover.NONE))
                .isInstanceOf(IndexUnavailableException.class);
    }

    private String claim(int bucket) {
        return new String((byte[]) view.run("GET", view.key(bucket, "epoch")), StandardCharsets.US_ASCII);
    }

    @Test
    void vetoesEndAndLeaveNothingBehind() {
        List<String> ids = idsIn(index(), 0, 3);
        String vetoes = view.key(0, "vetoes");
        long ended = now() - 1;
        view.run("ZADD", vetoes, Long.toString(ended), ids.get(0));
        scheduleOne(message(ids.get(1), "t", far()));
        index().remove(ids.get(1));
        assertThat(RedisView.texts(view.run("ZRANGE", vetoes, "0", "-1"))).containsExactly(ids.get(1));
        assertThat((Long) view.run("PTTL", vetoes)).isBetween(1L, 20_000L);
    }

    /** The key ends with its last veto only. */
    @Test
    void aVetoThatHasEndedForbidsNothing() {
        List<String> ids = idsIn(index(), 0, 2);
        assertThat(index().veto(Refs.first(ids.get(0)))).isEmpty();
        view.run("ZADD", view.key(0, "vetoes"), Long.toString(now() - 1), ids.get(1));
        assertThat(scheduleOne(message(ids.get(0), "t", far()))).isEqualTo(ScheduleOutcome.VETOED);
        assertThat(scheduleOne(message(ids.get(1), "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void dropsAnIdWhoseMessageIsGone() {
        List<String> ids = idsIn(index(), 0, 3);
        index().schedule(ids.stream().map(id -> message(id, "t", now() - 1000)).toList());
        view.run("HDEL", view.key(0, "pool"), ids.get(0));
        assertThat(bucket(0).moveDue(LIMIT, Handover.NONE)).satisfies(scan -> {
            assertThat(scan.moved()).isEqualTo(3);
            assertThat(scan.nextDueMs()).isEqualTo(-1);
        });
        view.run("HDEL", view.key(0, "pool"), ids.get(1));
        assertThat(take(0, "t")).hasSize(1);
        view.run("HDEL", view.key(0, "pool"), ids.get(2));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(index().locate(ids)).isEmpty();
    }

    @Test
    void goesOnWhenTheServersForgetTheScripts() {
        List<String> ids = idsIn(index(), 0, 4);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index().schedule(IntStream.range(0, 100)
                        .mapToObj(i -> message("id" + i, "t", now() - 1000))
                        .toList()))
                .containsOnly(ScheduleOutcome.SCHEDULED);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index().locate(List.of("id1", "id2", "id3", "id4", "id5"))).hasSize(5);
        String taken = oneTaken();
        OwnerCalls.all("t", taken).forEach((name, call) -> {
            view.onAll("SCRIPT", "FLUSH");
            call.make(index(), bucket(0));
        });
        view.onAll("SCRIPT", "FLUSH");
        bucket(0).leased(Long.MAX_VALUE, 10);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index().remove(ids.get(3))).isNotNull();
    }

    /** Otherwise a thousand topics with large bodies that fall due together would be read at once. */
    @Test
    void allTopicsOfAScanTogetherTakeNoMoreThanTheBodiesOfABatch() {
        List<String> ids = idsIn(index(), 0, 7);
        String body = "b".repeat(BodyBounds.TOGETHER / 3);
        index().schedule(IntStream.range(0, 7)
                .mapToObj(i -> MessageBuilder.withId(ids.get(i))
                        .topic("t" + i)
                        .body(body)
                        .created(now() - 1001)
                        .priority(5)
                        .build())
                .toList());
        int taken = 0;
        Set<String> filled = new HashSet<>();
        for (int moved = 0; moved < 7; ) {
            ScanResult scan = bucket(0).moveDue(LIMIT, new Handover(List.of(), LIMIT, LEASE));
            // Redis has seven bits of each character of ASCII.
            assertThat(scan.taken()).hasSizeLessThan(4);
            moved += scan.moved();
            taken += scan.taken().size();
            filled.addAll(scan.topics());
        }
        assertThat(taken + filled.size()).isEqualTo(7);
        assertThat(bucket(0).ready().keySet()).isEqualTo(filled);
    }

    @Test
    void carriesLargeBodies() {
        List<String> ids = idsIn(index(), 0, 12);
        String body = "b".repeat(1 << 20);
        index().schedule(ids.stream()
                .map(id -> MessageBuilder.withId(id)
                        .body(body)
                        .created(now() - 1001)
                        .priority(5)
                        .build())
                .toList());
        int moved = 0;
        for (int calls = 0; moved < 12 && calls < 12; calls++) {
            moved += bucket(0).moveDue(LIMIT, Handover.NONE).moved();
        }
        assertThat(moved).isEqualTo(12);
        Set<String> taken = new HashSet<>();
        for (List<DelayMessage> some = take(0, "t"); !some.isEmpty(); some = take(0, "t")) {
            assertThat(some).hasSizeLessThan(6).allMatch(m -> m.body().equals(body));
            some.forEach(m -> taken.add(m.id()));
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void isUpAndTellsTheServersTime() {
        await().until(() -> index().check().up());
        assertThat(index().check().details().toString()).doesNotContain("p@ss", "p%40ss", "sent1nel", "clu5ter");
        ScanResult scan = bucket(0).moveDue(LIMIT, Handover.NONE);
        assertThat(index().timeMs()).isBetween(scan.nowMicros() / 1000 - 200, scan.nowMicros() / 1000 + 10_000);
    }
}
