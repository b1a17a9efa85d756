package io.mykit.delay.queue.search;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySearchTest {
    private static final long T0 = 1_700_000_000_000L;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(T0));

    private final MemoryMessageStore store = new MemoryMessageStore(CLOCK);
    private final AtomicLong nanos = new AtomicLong();
    private final KeySearch search =
            new MessageSearch(store.search(), ids -> Map.of(), String::length, CLOCK, nanos::get).keys();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unfinishedMessagesOfTheTopicAndKeyAreFoundInDueOrder(boolean indexed) {
        store.make(new SearchIndexes(false, indexed));
        insert("c", "orders", "4711", DELAY, T0 + 2);
        insert("b", "orders", "4711", WAIT_PUT, T0 + 3);
        insert("a", "orders", "4711", DELAY, T0 + 3);
        insert("d", "orders", "4711", DELAY, T0 + 1);
        insert("other-key", "orders", "4712", DELAY, T0);
        insert("other-topic", "bills", "4711", DELAY, T0);
        insert("ended", "orders", "4711", DELAY, T0);
        end("ended");
        assertThat(search.unfinished("orders", "4711")).containsExactly("d", "c", "a", "b");
        assertThat(search.unfinished("orders", "none")).isEmpty();
    }

    @Test
    void moreMessagesThanOneCallTakesAreRefused() {
        insertMany(KeySearch.MAX_MESSAGES, "4711");
        assertThat(search.unfinished("t", "4711")).hasSize(KeySearch.MAX_MESSAGES);
        insert("one-more", "t", "4711", DELAY, T0);
        assertTooMany("4711", "more than 1000 unfinished messages of topic t have bizKey 4711");
    }

    @Test
    void aSearchThatIsNotCompleteFindsNothingAndSaysSo() {
        insertMany(KeySearch.MAX_ROWS, "4711");
        assertThat(search.unfinished("t", "none")).isEmpty();
        insert("one-more", "t", "4712", DELAY, T0);
        assertTooMany("none", "sql/optional/search.sql");
        assertTooMany("4712", "sql/optional/search.sql");
        store.make(new SearchIndexes(false, true));
        assertTooMany("4712", "sql/optional/search.sql");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(search.unfinished("t", "4712"))
                .as("a new index is soon seen")
                .containsExactly("one-more");
        assertThat(search.unfinished("t", "none")).isEmpty();
        insert("ended", "t", "4711", DELAY, T0);
        end("ended");
        assertTooMany("4711", "more than 20000 messages have bizKey 4711");
    }

    /** Otherwise some callers without an index could take all connections of the pool. */
    @Test
    void oneWalkRunsAtATimeAndAFewWait() throws Exception {
        insert("a", "t", "k", DELAY, T0);
        search.unfinished("t", "k");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.before(() -> {
            running.countDown();
            awaitQuietly(goOn);
        });
        CompletableFuture<List<String>> first = CompletableFuture.supplyAsync(() -> search.unfinished("t", "k"));
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
        assertRefused(ErrorCode.BUSY, "k", "try again");
        goOn.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS)).containsExactly("a");
        List<CompletableFuture<List<String>>> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(CompletableFuture.supplyAsync(() -> search.unfinished("t", "k")));
        }
        for (CompletableFuture<List<String>> other : others) {
            assertThat(other.get(20, TimeUnit.SECONDS)).containsExactly("a");
        }
    }

    @Test
    void anOutageIsNoEmptyAnswerAndGivesThePlaceBack() {
        insert("a", "t", "k", DELAY, T0);
        search.unfinished("t", "k");
        store.goAway();
        assertRefused(ErrorCode.STORE_UNAVAILABLE, "k", "");
        store.comeBack();
        assertThat(search.unfinished("t", "k")).containsExactly("a");
    }

    private void assertTooMany(String key, String why) {
        assertRefused(ErrorCode.TOO_MANY, key, why);
    }

    private void assertRefused(ErrorCode code, String key, String why) {
        assertThatThrownBy(() -> search.unfinished("t", key))
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private void insert(String id, String topic, String bizKey, MessageStatus status, long dueMs) {
        store.insert(List.of(new NewMessage(message(id, topic, bizKey, dueMs), status)));
    }

    private void end(String id) {
        store.move(List.of(
                Transition.of(store.states(List.of(id)).get(0), List.of(new Transition.Step(DELETE, T0)), "tester")));
    }

    private void insertMany(int count, String bizKey) {
        store.insert(IntStream.range(0, count)
                .mapToObj(i -> new NewMessage(message("m" + i, "t", bizKey, T0 + i), DELAY))
                .toList());
    }

    private static DelayMessage message(String id, String topic, String bizKey, long dueMs) {
        return MessageBuilder.withId(id)
                .topic(topic)
                .bizKey(bizKey)
                .created(T0)
                .due(dueMs)
                .build();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
