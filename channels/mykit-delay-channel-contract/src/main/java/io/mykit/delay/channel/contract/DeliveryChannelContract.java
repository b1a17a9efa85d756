package io.mykit.delay.channel.contract;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@link DeliveryChannel} while its broker works. The author of a channel extends this class in a
 * test.
 */
public abstract class DeliveryChannelContract {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MIB = 1024 * 1024;

    private DeliveryChannel channel;

    /** Opens a channel with a send timeout of at least 5 s. */
    protected abstract DeliveryChannel open();

    protected abstract Inbox inbox(String topic);

    /** A topic that was never used before. A channel whose broker makes no topics by itself makes it here. */
    protected String newTopic() {
        return Messages.newTopic();
    }

    /**
     * A message that the channel can never deliver, for a batch with good messages of the same topic; empty if there is
     * none.
     */
    protected abstract Optional<DelayMessage> undeliverable(String topic);

    /** The message that a consumer has to see. The arrival time and further properties are not compared. */
    protected Arrival expected(DelayMessage message) {
        return Messages.expected(message);
    }

    /** Which headers of a message its consumer gets, among the properties of the {@link Arrival}. */
    protected HeaderNames headerNames() {
        return HeaderNames.AS_GIVEN;
    }

    @BeforeEach
    final void openChannel() {
        channel = open();
    }

    @AfterEach
    final void closeChannel() {
        channel.close();
    }

    @Test
    final void everyFieldArrives() {
        String topic = newTopic();
        List<DelayMessage> sent = List.of(
                Messages.message("plain-" + topic, topic, "sub", "biz", "{hello world}"),
                Messages.message("no-subtopic-" + topic, topic, "", "biz", "b"),
                Messages.message("no-biz-key-" + topic, topic, "sub", "", "b"),
                Messages.message("neither-" + topic, topic, "", "", "b"),
                Messages.message("訂單-😀-" + topic, topic, "标签-🎉", "键-🔑", "emoji 👩‍👩‍👧‍👦 und Umlaute äöü"),
                Messages.message("controls-" + topic, topic, "s", "k", "a\nb\tc\r\u0000\u0001\u0002\"'\\ </x>"),
                Messages.message("spaces-" + topic, topic, "s", "k", "   "),
                Messages.message("i".repeat(128), topic, "s".repeat(250), "k".repeat(128), "{}"),
                Messages.message("語".repeat(128), topic, "語".repeat(250), "語".repeat(128), "{}"));

        assertDelivered(topic, sent);
    }

    @Test
    final void headersKeepTheirNames() {
        assumeTrue(headerNames() == HeaderNames.AS_GIVEN, "this channel changes names of headers, or carries none");
        String topic = newTopic();
        // HTTP reserves the last three, and takes the first two for one name.
        Map<String, String> headers =
                Map.of("userId", "1", "userid", "2", "X_TRACE", "3 \u4e2d\n", "Host", "4", "TE", "5", "expect", "6");

        try (Inbox inbox = inbox(topic)) {
            deliverAll(topic, List.of(Messages.withHeaders(topic, headers)));
            assertThat(inbox.await(1, PATIENCE).get(0).properties()).containsAllEntriesOf(headers);
        }
    }

    @Test
    final void headersFollowTheRulesOfHttp() {
        assumeTrue(headerNames() == HeaderNames.AS_HTTP, "this channel does not speak HTTP");
        String topic = newTopic();
        try (Inbox inbox = inbox(topic)) {
            deliverAll(topic, List.of(Messages.withHeaders(topic, Map.of("Order-Id", "1", "X_TRACE", "2"))));
            assertThat(inbox.await(1, PATIENCE).get(0).properties())
                    .containsAllEntriesOf(Map.of("order-id", "1", "x_trace", "2"));
        }
        for (String name :
                List.of("Host", "te", "Expect", "Content-Length", "ce-id", "CE_id", "Grpc-Timeout", "a b", "\u4e2d")) {
            assertRefused(Messages.withHeaders(topic, Map.of(name, "x")), "headers." + name);
        }
        assertRefused(
                Messages.withHeaders(topic, Map.of("userId", "1", "userid", "2")),
                "headers.userId and headers.userid exclude each other");
        assertRefused(Messages.withHeaders(topic, Map.of("a", "x".repeat(8192))), "headers is longer than 8192 bytes");
    }

    @Test
    final void anEmptyBodyArrivesOrIsObjectedTo() {
        String topic = newTopic();
        DelayMessage empty = Messages.message("empty-" + topic, topic, "", "", "");

        if (channel.objection(empty).isPresent()) {
            assertThat(channel.deliver(topic, List.of(empty)))
                    .extracting(Delivery::kind)
                    .containsExactly(Delivery.Kind.REFUSED);
        } else {
            assertDelivered(topic, List.of(empty));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 200})
    final void aBatchArrivesOnceAndInOrder(int size) {
        String topic = newTopic();
        List<DelayMessage> sent = Messages.batch(topic, size, 20);

        try (Inbox inbox = inbox(topic)) {
            deliverAll(topic, sent);
            assertThat(inbox.awaitExactly(size, PATIENCE))
                    .extracting(Arrival::id)
                    .containsExactlyElementsOf(
                            sent.stream().map(DelayMessage::id).collect(toList()));
        }
    }

    @Test
    final void anEmptyBatchIsNoWork() {
        assertThat(channel.deliver(newTopic(), List.of())).isEmpty();
    }

    @Test
    final void aBodyOfOneMebibyteArrives() {
        String topic = newTopic();
        assertDelivered(topic, Messages.batch(topic, 1, MIB));
    }

    @Test
    final void aBatchOfManyMebibytesArrives() {
        String topic = newTopic();
        List<DelayMessage> sent = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            sent.addAll(Messages.batch(topic, 1, MIB));
            sent.addAll(Messages.batch(topic, 10, 700 * i + 1));
        }
        assertDelivered(topic, sent);
    }

    @Test
    final void threadsAndTopicsDoNotMix() throws Exception {
        List<String> topics = Stream.generate(this::newTopic).limit(4).toList();
        List<Inbox> inboxes = topics.stream().map(this::inbox).toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Void>> work = IntStream.range(0, 8 * 5)
                    .mapToObj(i -> (Callable<Void>) () -> {
                        String topic = topics.get(i % topics.size());
                        deliverAll(topic, Messages.batch(topic, 20, 50));
                        return null;
                    })
                    .toList();
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
            for (int i = 0; i < topics.size(); i++) {
                String prefix = topics.get(i);
                List<Arrival> arrivals = inboxes.get(i).awaitExactly(10 * 20, PATIENCE);
                assertThat(arrivals).extracting(Arrival::id).doesNotHaveDuplicates();
                assertThat(arrivals).allMatch(arrival -> arrival.id().contains(prefix));
            }
        } finally {
            threads.shutdownNow();
            inboxes.forEach(Inbox::close);
        }
    }

    @Test
    final void theBadIsRefusedInItsPlaceAndTheGoodGo() {
        String topic = newTopic();
        Optional<DelayMessage> bad = undeliverable(topic);
        assumeTrue(bad.isPresent(), "this channel delivers everything");
        List<DelayMessage> good = Messages.batch(topic, 20, 50);
        List<DelayMessage> batch = new ArrayList<>(good);
        batch.add(13, bad.orElseThrow());

        try (Inbox inbox = inbox(topic)) {
            List<Delivery> fates = channel.deliver(topic, batch);

            List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
            kinds.add(13, Delivery.Kind.REFUSED);
            assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
            assertThat(fates.get(13).detail()).isNotEmpty();
            assertThat(inbox.awaitExactly(20, PATIENCE))
                    .extracting(Arrival::id)
                    .containsExactlyInAnyOrderElementsOf(
                            good.stream().map(DelayMessage::id).toList());
        }
    }

    /** Otherwise the server would keep the messages of the topic for ever. */
    @Test
    final void aTopicWithNothingOnItsWayHasPlaces() throws InterruptedException {
        assumeTrue(channel instanceof AsyncDeliveryChannel, "this channel is asked for no places");
        AsyncDeliveryChannel asynchronous = (AsyncDeliveryChannel) channel;
        String topic = newTopic();
        assertThat(asynchronous.places(topic)).isPositive();
        deliverAll(topic, Messages.batch(topic, 200, 10));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (asynchronous.places(topic) <= 0 && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        assertThat(asynchronous.places(topic)).isPositive();
    }

    /** Once in ten questions: a busy machine may be late. */
    @Test
    final void healthIsUpWithinASecond() {
        boolean inTime = false;
        for (int i = 0; i < 10 && !inTime; i++) {
            long before = System.nanoTime();
            inTime = channel.health().up()
                    && System.nanoTime() - before < Duration.ofSeconds(1).toNanos();
        }
        assertThat(inTime).isTrue();
    }

    @Test
    final void closesOnceAndForAll() {
        String topic = newTopic();
        deliverAll(topic, Messages.batch(topic, 3, 10));
        long before = System.nanoTime();
        channel.close();
        channel.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(6));
    }

    private void assertDelivered(String topic, List<DelayMessage> sent) {
        try (Inbox inbox = inbox(topic)) {
            deliverAll(topic, sent);
            assertThat(inbox.awaitExactly(sent.size(), PATIENCE))
                    .map(Messages::comparable)
                    .containsExactlyInAnyOrderElementsOf(sent.stream()
                            .map(this::expected)
                            .map(Messages::comparable)
                            .toList());
        }
    }

    private void assertRefused(DelayMessage message, String why) {
        assertThat(channel.objection(message)).get().asString().contains(why);
        assertThat(channel.deliver(message.topic(), List.of(message)))
                .extracting(Delivery::kind)
                .containsExactly(Delivery.Kind.REFUSED);
    }

    private void deliverAll(String topic, List<DelayMessage> batch) {
        assertThat(channel.deliver(topic, batch)).hasSize(batch.size()).allMatch(Delivery.DELIVERED::equals);
    }
}
