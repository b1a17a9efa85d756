package io.mykit.delay.queue.search;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageSearchTest {
    private static final long T0 = 1_700_000_000_000L;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(T0));
    private static final SearchFilter ALL = filter(Set.of(DELAY, WAIT_PUT), null, null, null);

    private final MemoryMessageStore store = new MemoryMessageStore(CLOCK);
    private final AtomicLong nanos = new AtomicLong();
    private final Map<String, Location> places = new HashMap<>();
    private boolean away;
    private final MessageSearch search =
            new MessageSearch(store.search(), this::locate, this::bucket, CLOCK, nanos::get);

    private int bucket(String id) {
        if (away) {
            throw new IndexUnavailableException("away", null);
        }
        return id.length();
    }

    private Map<String, Location> locate(Collection<String> ids) {
        if (away) {
            throw new IndexUnavailableException("away", null);
        }
        assertThat(ids).as("those that are due").doesNotContain("later");
        return places;
    }

    @Test
    void aMessageThatIsReadyOrTakenIsReady() {
        insert(DELAY, "ready", "t", T0 - 4);
        insert(DELAY, "taken", "t", T0 - 3);
        insert(DELAY, "parked", "t", T0 - 2);
        insert(DELAY, "waits", "t", T0 - 1);
        insert(WAIT_PUT, "stored", "t", T0);
        insert(DELAY, "later", "t", T0 + 1);
        places.put("ready", Location.READY);
        places.put("taken", Location.TAKEN);
        places.put("parked", Location.PARKED);
        places.put("waits", Location.WAITING);
        assertThat(statuses()).containsExactly(READY, READY, READY, DELAY, WAIT_PUT, DELAY);
        away = true;
        assertThat(statuses()).as("as the rows have them").containsExactly(DELAY, DELAY, DELAY, DELAY, WAIT_PUT, DELAY);
    }

    private List<MessageStatus> statuses() {
        return search.find(new SearchOrder(ALL, Optional.empty(), 100)).items().stream()
                .map(FoundMessage::status)
                .toList();
    }

    @Test
    void statusesAreMergedInDueOrder() {
        insert(DELAY, "a", "t", T0 + 1);
        insert(WAIT_PUT, "b", "t", T0 + 2);
        insert(DELAY, "c", "t", T0 + 2);
        insert(DELAY, "x\uE000", "t", T0 + 3);
        insert(WAIT_PUT, "x\uD83D\uDE00", "t", T0 + 3);
        insert(DELAY, "d", "t", T0 + 4);
        for (int limit = 1; limit <= 7; limit++) {
            assertThat(all(ALL, limit)).containsExactly("a", "b", "c", "x\uE000", "x\uD83D\uDE00", "d");
        }
        SearchPage page = search.find(new SearchOrder(ALL, Optional.empty(), 100));
        assertThat(page.by()).isEqualTo(SearchWay.DUE);
        assertThat(page.complete()).isTrue();
        assertThat(page.next()).isEmpty();
        assertThat(page.looked()).isEqualTo(6);
        assertThat(page.until().map(FoundMessage::id)).contains("d");
        assertThat(page.details()).containsEntry("a", new FoundDetails(4, "request of a"));
        assertThat(page.buckets()).containsEntry("a", 1).containsEntry("x\uE000", 2);
        away = true;
        assertThat(search.find(new SearchOrder(ALL, Optional.empty(), 100)).buckets())
                .isEmpty();
        assertThat(page.asOfMs()).isEqualTo(T0);
    }

    @Test
    void aTopicWithoutIndexIsFoundByAWalk() {
        for (int i = 0; i < 30; i++) {
            insert(DELAY, String.format("m%02d", i), i % 10 == 0 ? "rare" : "often", T0 + i);
        }
        SearchFilter rare = filter(Set.of(DELAY), "rare", null, null);
        assertThat(all(rare, 2)).containsExactly("m00", "m10", "m20");
        SearchPage page = search.find(new SearchOrder(rare, Optional.empty(), 2));
        assertThat(page.by()).isEqualTo(SearchWay.WALK);
        assertThat(page.looked()).isEqualTo(11);
        assertThat(page.complete()).isFalse();
    }

    @Test
    void aWalkEndsAfterItsRows() {
        insertMany(MessageSearch.WALK_ROWS + 10);
        SearchFilter none = filter(Set.of(DELAY), "none", null, null);
        SearchPage first = search.find(new SearchOrder(none, Optional.empty(), 100));
        assertThat(first.items()).isEmpty();
        assertThat(first.looked()).isEqualTo(MessageSearch.WALK_ROWS);
        assertThat(first.complete()).isFalse();
        SearchPage second = search.find(new SearchOrder(none, first.next(), 100));
        assertThat(second.looked()).isEqualTo(10);
        assertThat(second.complete()).isTrue();
    }

    @Test
    void aWalkEndsAfterItsTime() {
        insertMany(2000);
        store.before(() -> nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(200)));
        SearchFilter none = filter(Set.of(DELAY), "none", null, null);
        SearchPage page = search.find(new SearchOrder(none, Optional.empty(), 100));
        assertThat(page.looked()).isBetween(500L, 1500L);
        assertThat(page.complete()).isFalse();
        assertThat(page.next()).isPresent();
    }

    @Test
    void aWalkWhoseFirstReadIsSlowAnswersWhatItRead() {
        insertMany(20);
        store.before(() -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(2)));
        SearchPage page = search.find(new SearchOrder(filter(Set.of(DELAY), null, null, null), Optional.empty(), 10));
        assertThat(page.items()).hasSize(10);
    }

    @Test
    void optionalIndexesShortenTheWay() {
        insert(DELAY, "a", "t", T0 + 2);
        insert(WAIT_PUT, "b", "t", T0 + 1);
        insert(DELAY, "c", "u", T0 + 1);
        store.make(new SearchIndexes(true, true));
        SearchFilter topic = filter(Set.of(), "t", null, null);
        assertThat(all(topic, 1)).containsExactly("b", "a");
        assertThat(search.find(new SearchOrder(topic, Optional.empty(), 9)).by())
                .isEqualTo(SearchWay.TOPIC);
        SearchFilter key = filter(Set.of(DELAY), null, "key of b", null);
        assertThat(search.find(new SearchOrder(key, Optional.empty(), 9)).by()).isEqualTo(SearchWay.BIZ_KEY);
        assertThat(all(key, 1)).isEmpty();
        assertThat(all(filter(Set.of(), "t", "key of b", null), 1)).containsExactly("b");
    }

    @Test
    void topicsAreFoundByTheirBegin() {
        insert(DELAY, "a", "shop/b", T0 + 1);
        insert(WAIT_PUT, "b", "shop/a", T0 + 3);
        insert(DELAY, "c", "shop/a", T0 + 2);
        insert(DELAY, "d", "shop", T0 + 1);
        insert(DELAY, "e", "Shop/a", T0 + 1);
        SearchFilter shop = prefixed(filter(Set.of(), null, null, null), "shop/");
        assertThat(wayOf(shop)).isEqualTo(SearchWay.WALK);
        for (int limit = 1; limit <= 4; limit++) {
            assertThat(all(shop, limit)).as("without an index").containsExactly("a", "c", "b");
        }
        store.make(new SearchIndexes(true, false));
        nanos.addAndGet(TimeUnit.HOURS.toNanos(2));
        assertThat(wayOf(shop)).isEqualTo(SearchWay.TOPIC_PREFIX);
        for (int limit = 1; limit <= 4; limit++) {
            assertThat(all(shop, limit)).as("by topic, due time and id").containsExactly("c", "b", "a");
        }
        assertThat(all(prefixed(filter(Set.of(), null, "key of c", null), "shop/"), 1))
                .containsExactly("c");
        SearchFilter waiting = prefixed(filter(Set.of(DELAY), null, null, null), "shop/");
        assertThat(wayOf(waiting)).as("the due times are shorter").isEqualTo(SearchWay.WALK);
        assertThat(all(waiting, 1)).containsExactly("a", "c");
        assertThat(all(prefixed(filter(Set.of(), null, null, "a"), "shop/"), 1)).containsExactly("a");
        assertThat(all(prefixed(filter(Set.of(), null, null, "e"), "shop/"), 1)).isEmpty();
    }

    /** A page ends although no row of many topics fits the rest of the filter. */
    @Test
    void aWalkAlongTopicsEndsAfterItsRows() {
        insertMany(MessageSearch.WALK_ROWS + 10);
        store.make(new SearchIndexes(true, false));
        SearchFilter none = prefixed(filter(Set.of(), null, "none", null), "t");
        SearchPage first = search.find(new SearchOrder(none, Optional.empty(), 100));
        assertThat(first.by()).isEqualTo(SearchWay.TOPIC_PREFIX);
        assertThat(first.looked()).isEqualTo(MessageSearch.WALK_ROWS);
        assertThat(first.complete()).isFalse();
        assertThat(search.find(new SearchOrder(none, first.next(), 100)).looked())
                .isEqualTo(10);
    }

    private SearchWay wayOf(SearchFilter filter) {
        return search.find(new SearchOrder(filter, Optional.empty(), 9)).by();
    }

    @Test
    void newIndexesAreSeenWithinTheHour() {
        SearchOrder byTopic = new SearchOrder(filter(Set.of(), "t", null, null), Optional.empty(), 9);
        assertThat(search.find(byTopic).by()).isEqualTo(SearchWay.WALK);
        store.make(new SearchIndexes(true, false));
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
        assertThat(search.find(byTopic).by()).isEqualTo(SearchWay.WALK);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(2));
        assertThat(search.find(byTopic).by()).isEqualTo(SearchWay.TOPIC);
        assertThat(search.indexes().now()).isEqualTo(new SearchIndexes(true, false));
    }

    @Test
    void aCursorOfAnotherWayIsRefused() {
        insert(DELAY, "a", "t", T0);
        SearchFilter topic = filter(Set.of(DELAY), "t", null, null);
        Optional<SearchCursor> next =
                search.find(new SearchOrder(topic, Optional.empty(), 1)).next();
        store.make(new SearchIndexes(true, false));
        nanos.addAndGet(TimeUnit.HOURS.toNanos(2));
        assertRefused(ErrorCode.INVALID_REQUEST, new SearchOrder(topic, next, 1));
    }

    @Test
    void idsAreFoundByTheirBegin() {
        insert(DELAY, "order-2", "t", T0);
        insert(WAIT_PUT, "order-1", "t", T0 + 9);
        insert(DELAY, "other", "t", T0);
        SearchFilter orders = filter(Set.of(), null, null, "order-");
        assertThat(all(orders, 1)).containsExactly("order-1", "order-2");
        assertThat(search.find(new SearchOrder(orders, Optional.empty(), 9)).by())
                .isEqualTo(SearchWay.ID);
        assertThat(all(filter(Set.of(DELAY), null, null, "order-"), 1)).containsExactly("order-2");
    }

    /** Otherwise ten people who search could take all connections of the pool. */
    @Test
    void oneWalkAndTwoPagesRunAtATime() throws Exception {
        insert(DELAY, "a", "t", T0);
        SearchOrder walk = new SearchOrder(filter(Set.of(DELAY), "t", null, null), Optional.empty(), 9);
        SearchOrder list = new SearchOrder(ALL, Optional.empty(), 9);
        search.find(list);
        CountDownLatch running = new CountDownLatch(3);
        CountDownLatch goOn = new CountDownLatch(1);
        store.before(() -> {
            running.countDown();
            awaitQuietly(goOn);
        });
        List<CompletableFuture<SearchPage>> pages = new ArrayList<>();
        for (SearchOrder order : List.of(walk, list, list)) {
            pages.add(CompletableFuture.supplyAsync(() -> search.find(order)));
        }
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
        assertRefused(ErrorCode.BUSY, walk);
        assertRefused(ErrorCode.BUSY, list);
        goOn.countDown();
        for (CompletableFuture<SearchPage> page : pages) {
            assertThat(page.get(20, TimeUnit.SECONDS).items()).hasSize(1);
        }
        assertThat(search.find(walk).items()).hasSize(1);
    }

    @Test
    void aFailedSearchGivesItsPlaceBack() {
        store.goAway();
        for (int i = 0; i < 4; i++) {
            assertRefused(ErrorCode.STORE_UNAVAILABLE, new SearchOrder(ALL, Optional.empty(), 9));
        }
        store.comeBack();
        assertThat(search.find(new SearchOrder(ALL, Optional.empty(), 9)).complete())
                .isTrue();
    }

    private void assertRefused(ErrorCode code, SearchOrder order) {
        assertThatThrownBy(() -> search.find(order))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** The ids of all pages, which have no row twice. */
    private List<String> all(SearchFilter filter, int limit) {
        List<String> ids = new ArrayList<>();
        SearchPage page = search.find(new SearchOrder(filter, Optional.empty(), limit));
        while (true) {
            page.items().forEach(row -> ids.add(row.id()));
            if (page.complete()) {
                return ids;
            }
            page = search.find(new SearchOrder(filter, page.next(), limit));
        }
    }

    private void insert(MessageStatus status, String id, String topic, long dueMs) {
        DelayMessage message = MessageBuilder.withId(id)
                .topic(topic)
                .bizKey("key of " + id)
                .body("body")
                .created(T0)
                .due(dueMs)
                .build()
                .withExtras(ExtrasBuilder.extras().requestId("request of " + id).build());
        store.insert(List.of(new NewMessage(message, status)));
    }

    private void insertMany(int count) {
        store.insert(IntStream.range(0, count)
                .mapToObj(i -> new NewMessage(
                        MessageBuilder.withId("m" + i).created(T0).delay(i).build(), DELAY))
                .toList());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SearchFilter filter(Set<MessageStatus> statuses, String topic, String bizKey, String idPrefix) {
        return new SearchFilter(
                statuses,
                DueWindow.ALL,
                Optional.ofNullable(topic),
                Optional.empty(),
                Optional.ofNullable(bizKey),
                Optional.ofNullable(idPrefix));
    }

    private static SearchFilter prefixed(SearchFilter rest, String topicPrefix) {
        return new SearchFilter(
                rest.statuses(), rest.window(), rest.topic(), Optional.of(topicPrefix), rest.bizKey(), rest.idPrefix());
    }
}
