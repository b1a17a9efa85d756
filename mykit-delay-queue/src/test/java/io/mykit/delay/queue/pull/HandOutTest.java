package io.mykit.delay.queue.pull;

import static io.mykit.delay.queue.pull.Looks.Where.ALL;
import static io.mykit.delay.queue.pull.PullFixture.TOPIC;
import static io.mykit.delay.queue.pull.PullFixture.TTR;
import static io.mykit.delay.queue.pull.PullFixture.URGENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.StoreBreaker;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is in front of the messages that can be handed out, on one thread and with a time that the test sets. */
class HandOutTest {
    private static final int BACKLOG = 1000;

    private final PullFixture node = new PullFixture();
    private final MemoryQueue queue = node.queue;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger transactions = new AtomicInteger();
    private final HandOut handOut = handOut(queue.index().holds());

    private final List<PullAnswer> answers = new ArrayList<>();
    private final List<Waiter> again = new ArrayList<>();
    private final List<String> further = new ArrayList<>();
    private final PullDesk desk = new PullDesk(3);
    private final Serving serving = new Serving(
            desk,
            handOut,
            new Answers(null, queue.index().holds(), new PullMeters(node.meters), Runnable::run),
            again::add,
            (topic, where) -> further.add(topic + " " + where));

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aBacklogOfExpiredMessagesIsDroppedManyAtATime() {
        expired(BACKLOG);
        node.ready("live");
        queue.store().before(transactions::incrementAndGet);
        assertThat(ids(look(1))).containsExactly("live");
        assertThat(transactions).hasValueLessThan(BACKLOG / 20);
    }

    @Test
    void messagesThatNobodyAskedForGoBackInTheirOrder() throws Exception {
        List<String> ids = queue.idsIn(0, 12);
        node.ready(queue.message(ids.get(0), 0).withTtl(1));
        queue.pass(Duration.ofSeconds(5));
        ids.subList(1, 12).forEach(node::ready);
        HandOut.Found found = look(1);
        assertThat(ids(found)).containsExactly(ids.get(1));
        assertThat(found.full()).isTrue();
        assertThat(ids.subList(2, 12)).allMatch(id -> queue.location(id) == Location.READY);
        List<PulledMessage> rest = node.take(20);
        assertThat(rest).extracting(pulled -> pulled.message().id()).containsExactlyElementsOf(ids.subList(2, 12));
        assertThat(rest).extracting(PulledMessage::attempt).containsOnly(1);
    }

    @Test
    void aSlowLookEndsAfterAboutASecond() {
        List<String> old = expired(BACKLOG);
        node.ready("live");
        slowStore(() -> {});
        HandOut.Found found = look(1);
        assertThat(found.messages()).isEmpty();
        assertThat(found.early()).isTrue();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(nanos.get())).isLessThan(3);
        assertThat(old).anyMatch(id -> queue.status(id) == MessageStatus.DELAY);
        while (found.early()) {
            found = look(1);
        }
        assertThat(ids(found)).containsExactly("live");
    }

    @Test
    void aPauseDuringALookEndsTheHandOut() {
        expired(1);
        queue.store().before(() -> {
            queue.store().before(() -> {});
            node.pauses.pause(TOPIC, Optional.empty());
            node.ready("live");
        });
        assertThat(look(1).messages()).isEmpty();
        assertThat(queue.location("live")).isEqualTo(Location.READY);
    }

    @Test
    void consumersAreAnsweredInTimeWhileTheNextLookGoesOn() {
        expired(BACKLOG);
        node.ready("live");
        Waiter hasty = waiter(TOPIC);
        Waiter patient = waiter(TOPIC);
        slowStore(hasty::timeUp);
        serving.serve(TOPIC, ALL);
        assertThat(answers).containsExactly(PullAnswer.NOTHING);
        assertThat(patient.isOver()).isFalse();
        while (!patient.isOver()) {
            assertThat(further).containsOnly(TOPIC + " ALL");
            further.clear();
            serving.serve(TOPIC, ALL);
        }
        assertThat(answers.get(1).messages())
                .extracting(pulled -> pulled.message().id())
                .containsExactly("live");
        assertThat(further).isEmpty();
    }

    @Test
    void aConsumerOfSeveralTopicsIsLookedForAgain() {
        expired(BACKLOG);
        node.ready("live", URGENT);
        slowStore(() -> {});
        Waiter waiter = waiter(TOPIC, URGENT);
        serving.serve(waiter);
        assertThat(answers.get(0).messages())
                .as("each topic has a turn")
                .extracting(pulled -> pulled.message().id())
                .containsExactly("live");
        Waiter next = waiter(TOPIC, URGENT);
        serving.serve(next);
        assertThat(again).containsExactly(next);
    }

    @Test
    void withoutAnAnswerOfTheExtensionTheEarlierEndIsTold() {
        HoldIndex real = queue.index().holds();
        HoldIndex losing = (HoldIndex) Proxy.newProxyInstance(
                HoldIndex.class.getClassLoader(), new Class<?>[] {HoldIndex.class}, (proxy, method, args) -> {
                    Object answer = method.invoke(real, args);
                    if (method.getName().equals("extend")) {
                        throw new IndexUnavailableException("the answer was lost", null);
                    }
                    return answer;
                });
        long nowMs = queue.clock().millis();
        node.ready(withTtr("short", 5_000));
        node.ready(withTtr("long", TTR.toMillis() * 2));
        HandOut.Found found = handOut(losing).handOut(List.of(TOPIC), 5, null, "", ALL);
        assertThat(found.messages()).hasSize(2).allSatisfy(pulled -> assertThat(pulled.leaseUntilMs())
                .isEqualTo(nowMs + (pulled.message().id().equals("short") ? 5_000 : TTR.toMillis())));
    }

    private DelayMessage withTtr(String id, long ttrMs) {
        return queue.message(id, 0).withExtras(ExtrasBuilder.extras().ttr(ttrMs).build());
    }

    /** Has ready messages whose ttl has ended. */
    private List<String> expired(int count) {
        List<String> ids =
                Stream.iterate(0, i -> i + 1).map(i -> "old" + i).limit(count).toList();
        ids.forEach(id -> node.ready(queue.message(id, 0).withTtl(1)));
        queue.pass(Duration.ofSeconds(5));
        return ids;
    }

    /** Each transaction takes 300 ms. */
    private void slowStore(Runnable during) {
        queue.store().before(() -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
            during.run();
        });
    }

    private Waiter waiter(String... topics) {
        PullOrder order = new PullOrder(List.of(topics), 1, Duration.ofSeconds(30), null, false);
        Waiter waiter = new Waiter(order, answers::add, desk::remove);
        assertThat(desk.add(waiter)).isTrue();
        return waiter;
    }

    private HandOut.Found look(int count) {
        return handOut.handOut(List.of(TOPIC), count, null, "", ALL);
    }

    private static List<String> ids(HandOut.Found found) {
        return found.messages().stream().map(pulled -> pulled.message().id()).toList();
    }

    private HandOut handOut(HoldIndex holds) {
        LastLook look = new LastLook(
                queue.store(),
                queue.index(),
                queue.clock(),
                new StoreBreaker(System::nanoTime, "Nothing is handed out"),
                new DispatchMeters(node.meters, TopicMeters.none(node.meters), List.of()));
        return new HandOut(
                holds, new ReadyLists(holds), look, node.policies, node.pauses, TTR, queue.clock(), nanos::get);
    }
}
