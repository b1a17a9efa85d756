package io.mykit.delay.controller.scope;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.scope.Names;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.KeySearch;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.search.SearchWay;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopedViewTest {
    private static final long T0 = 1_700_000_000_000L;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(T0));
    private static final Names SHOP = new Names("shop");

    private final MemoryMessageStore store = new MemoryMessageStore(CLOCK);
    private final MessageSearch search = new MessageSearch(store.search(), ids -> Map.of(), String::length, CLOCK);
    private final ScopedView view = new ScopedView(new Searches(search::find, search.keys()), SHOP);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theMessagesOfAKeyAreFoundInDueOrderWhateverOthersHave(boolean indexed) {
        store.make(new SearchIndexes(false, indexed));
        insertMany("bank/", KeySearch.MAX_ROWS + 1);
        insert("shop/c", "shop/orders", "4711", DELAY, T0 + 2);
        insert("shop/b", "shop/orders", "4711", WAIT_PUT, T0 + 3);
        insert("shop/a", "shop/orders", "4711", DELAY, T0 + 3);
        insert("shop/other-key", "shop/orders", "4712", DELAY, T0);
        insert("shop/other-topic", "shop/bills", "4711", DELAY, T0);
        insert("shop/ended", "shop/orders", "4711", DELAY, T0);
        end("shop/ended");
        assertThat(view.unfinished("orders", "4711")).containsExactly("c", "a", "b");
        assertThat(view.unfinished("orders", "none")).isEmpty();
    }

    @Test
    void moreMessagesThanOneCallTakesAreRefused() {
        insertMany("shop/", KeySearch.MAX_MESSAGES);
        assertThat(view.unfinished("orders", "4711"))
                .hasSize(KeySearch.MAX_MESSAGES)
                .startsWith("m0", "m1");
        insert("shop/one-more", "shop/orders", "4711", DELAY, T0);
        assertThatThrownBy(() -> view.unfinished("orders", "4711"))
                .hasMessageStartingWith("more than 1000 unfinished messages of topic orders have bizKey 4711")
                .hasMessageEndingWith("; nothing was done")
                .extracting(e -> ((DelayException) e).code())
                .isEqualTo(ErrorCode.TOO_MANY);
    }

    @Test
    void aWalkThatIsNotCompleteFindsNothingAndSaysSo() {
        ScopedView large = new ScopedView(new Searches(order -> page(10_000), search.keys()), SHOP);
        assertThatThrownBy(() -> large.unfinished("orders", "4711"))
                .hasMessageStartingWith("the namespace shop has more than 20000 messages")
                .hasMessageEndingWith("; nothing was done")
                .extracting(e -> ((DelayException) e).code())
                .isEqualTo(ErrorCode.TOO_MANY);
    }

    @Test
    void aWalkOverASlowDatabaseEnds() {
        AtomicInteger pages = new AtomicInteger();
        ScopedView slow = new ScopedView(
                new Searches(
                        order -> {
                            pages.incrementAndGet();
                            return page(1);
                        },
                        search.keys()),
                SHOP);
        assertThatThrownBy(() -> slow.unfinished("orders", "4711"))
                .hasMessageContaining("took too long; nothing was done")
                .extracting(e -> ((DelayException) e).code())
                .isEqualTo(ErrorCode.BUSY);
        assertThat(pages).hasValue(KeyWalk.MAX_PAGES);
    }

    /** A page that found nothing and has one behind it. */
    private static SearchPage page(long looked) {
        return new SearchPage(
                T0,
                SearchWay.ID,
                List.of(),
                Map.of(),
                Map.of(),
                looked,
                OptionalLong.empty(),
                Optional.empty(),
                false,
                Optional.of(new SearchCursor(SearchWay.ID, "", new RowCursor(T0, "shop/x"))));
    }

    private void insertMany(String prefix, int count) {
        store.insert(IntStream.range(0, count)
                .mapToObj(i -> new NewMessage(message(prefix + "m" + i, prefix + "orders", "4711", T0 + i), DELAY))
                .toList());
    }

    private void insert(String id, String topic, String bizKey, MessageStatus status, long dueMs) {
        store.insert(List.of(new NewMessage(message(id, topic, bizKey, dueMs), status)));
    }

    private void end(String id) {
        store.move(List.of(
                Transition.of(store.states(List.of(id)).get(0), List.of(new Transition.Step(DELETE, T0)), "tester")));
    }

    private static DelayMessage message(String id, String topic, String bizKey, long dueMs) {
        return MessageBuilder.withId(id)
                .topic(topic)
                .bizKey(bizKey)
                .created(T0)
                .due(dueMs)
                .build();
    }

    /** The searches of a view alone. */
    private record Searches(Function<SearchOrder, SearchPage> pages, KeySearch keys) implements QueueView {
        @Override
        public SearchPage search(SearchOrder order) {
            return pages.apply(order);
        }

        @Override
        public List<String> unfinished(String topic, String bizKey) {
            return keys.unfinished(topic, bizKey);
        }

        @Override
        public SearchIndexes indexes() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DueCount due() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TopicLookup topics() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TopicList topics(TopicListOrder order) {
            throw new UnsupportedOperationException();
        }

        @Override
        public TopicState state(String topic) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Overviews overviews() {
            throw new UnsupportedOperationException();
        }
    }
}
