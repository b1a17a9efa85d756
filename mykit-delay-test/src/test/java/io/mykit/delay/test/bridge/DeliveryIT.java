package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.producer.PushResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** From push to settle, with a working channel and with a failing one. */
class DeliveryIT extends BridgeFixture {

    @Test
    void deliversAtTheDueTimeAndNeverBefore() throws Exception {
        bridge.lead(1);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            pushes.add(bridge.pushAsync(bridge.message("m" + i, "topic" + i % 5, i % 700), false));
        }
        for (CompletableFuture<PushResult> push : pushes) {
            assertThat(push.get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.ACCEPTED);
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().arrivals().size() >= 500);
        assertThat(bridge.channel().arrivals()).hasSize(500).allSatisfy(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(arrival.message().dueTimeMs()));
        awaitStatus("m499", FINISH);
        awaitStatus("m7", FINISH);
        assertThat(path("m7")).containsExactly(DELAY, READY, FINISH);
        assertLegalPath("m7");
        assertIndexEmpty();
    }

    /** Also when a scanner has given back a part, and the loops beside it look for something to do. */
    @Test
    void whatADeadLeaderHadTakenIsDeliveredOnce() throws Exception {
        int count = 30;
        bridge.pushTogether(count, i -> bridge.message("taken" + i, "t", 0));
        List<OwnedBucket> buckets = IntStream.range(0, bridge.index().buckets())
                .mapToObj(bucket -> bridge.index().claim(bucket, 1))
                .toList();
        for (OwnedBucket bucket : buckets) {
            bucket.markRestored();
            bucket.moveDue(count, Handover.NONE);
        }
        bridge.index().take(buckets, "t", count, Duration.ofMinutes(1));

        CountDownLatch released = new CountDownLatch(1);
        bridge.channel().script("t", message -> {
            pause(20);
            return Delivery.DELIVERED;
        });
        bridge.see(index -> Views.of(
                MessageIndex.class,
                index,
                (call, method) -> method.equals("claim")
                        ? Views.of(OwnedBucket.class, (OwnedBucket) call.call(), (owner, what) -> {
                            boolean scanner = Thread.currentThread().getName().startsWith("bucket-");
                            if (what.equals("readyTopics") && !scanner) {
                                assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
                            }
                            Object result = owner.call();
                            if (what.equals("release") && scanner) {
                                released.countDown();
                                pause(200);
                            }
                            return result;
                        })
                        : call.call()));
        bridge.lead(2);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().arrivals().size() >= count);
        assertIndexEmpty();
        assertThat(bridge.channel().arrivals()).hasSize(count);
    }

    /** Also where its topic could not be used at first. */
    @Test
    void aMessageThatComesOverdueLeavesTheLatenessOfTheOthersAlone() throws Exception {
        bridge.channel().script("down", message -> Delivery.unavailable("not yet"));
        bridge.lead(1);
        long yearMs = Duration.ofDays(365).toMillis();
        bridge.push(overdue("old", "t", yearMs));
        bridge.push(overdue("held", "down", yearMs));
        bridge.push(bridge.message("waits", "down", 0));
        awaitStatus("old", FINISH);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().attempts("down").size() >= 2);
        bridge.channel().heal("down");
        awaitStatus("held", FINISH);
        awaitStatus("waits", FINISH);
        bridge.push(bridge.message("prompt", "t", 0));
        awaitStatus("prompt", FINISH);

        // A timer's count, sum and maximum, in seconds.
        assertThat(bridge.measured("mykit.delay.lateness")).isBetween(2.0, 2 * 60.0);
        assertThat(bridge.measured("mykit.delay.lateness.overdue")).isGreaterThan(2 * yearMs / 1000.0);
    }

    private DelayMessage overdue(String id, String topic, long agoMs) {
        long dueMs = bridge.clock().millis() - agoMs;
        return new DelayMessage(id, topic, "", "", "b", 1000, dueMs - 1000, dueMs, 0, 0);
    }

    @Test
    void pushesThatComeTogetherShareATransaction() throws Exception {
        bridge.pushTogether(2000, i -> bridge.message("together" + i, "t", 1_800_000));
        assertThat(bridge.groupCommits()).isBetween(1L, 100L);
        assertThat(bridge.store().flow("together1999")).hasSize(1);
    }

    @Test
    void theSameAgainIsNothingNewAndOtherContentIsAConflict() throws Exception {
        DelayMessage message = bridge.message("twice", "t", 60_000);
        assertThat(bridge.push(message)).isEqualTo(PushResult.ACCEPTED);
        assertThat(bridge.push(bridge.message("twice", "t", 60_000))).isEqualTo(PushResult.same(DELAY));
        assertThatThrownBy(() -> bridge.push(bridge.message("twice", "t", 70_000)))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(DelayException.class)
                .hasMessageContaining("twice exists with other content");
        assertThat(bridge.store().flow("twice")).hasSize(1);
    }

    @Test
    void aReplacedMessageArrivesOnceAtItsNewTime() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("moved", "t", 60_000));
        DelayMessage sooner = bridge.message("moved", "t", 300).withBody("new");
        assertThat(bridge.pushAsync(sooner, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        awaitStatus("moved", FINISH);
        assertThat(bridge.channel().arrivals("moved")).singleElement().satisfies(arrival -> {
            assertThat(arrival.message().body()).isEqualTo("new");
            assertThat(arrival.atMs()).isGreaterThanOrEqualTo(sooner.dueTimeMs());
        });
        assertLegalPath("moved");
    }

    /** A restore, or an auditor, that read the rows before their replacement goes on scheduling the old rows. */
    @Test
    void aReplacementThatIsDueEarlierIsNotHeldUpByACopyOfTheOld() throws Exception {
        List<DelayMessage> old = IntStream.range(0, 100)
                .mapToObj(i -> bridge.message("again" + i, "t", 600_000))
                .toList();
        for (DelayMessage message : old) {
            bridge.push(message);
        }
        AtomicBoolean replaced = new AtomicBoolean();
        CompletableFuture<Void> restore = CompletableFuture.runAsync(() -> {
            while (!replaced.get()) {
                bridge.index().schedule(old);
            }
        });
        for (DelayMessage message : old) {
            DelayMessage sooner = bridge.message(message.id(), "t", 1000);
            assertThat(bridge.pushAsync(sooner, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        }
        replaced.set(true);
        restore.get(10, TimeUnit.SECONDS);
        bridge.lead(1);
        for (DelayMessage message : old) {
            awaitStatus(message.id(), FINISH);
            assertThat(bridge.channel().arrivals(message.id())).hasSize(1);
        }
        assertIndexEmpty();
    }

    @Test
    void anUnavailableTopicBacksOffAloneAndLosesNothing() throws Exception {
        bridge.lead(1);
        bridge.channel().script("dead", message -> Delivery.unavailable("broker is down"));
        for (int i = 0; i < 20; i++) {
            bridge.push(bridge.message("dead" + i, "dead", 0));
            bridge.push(bridge.message("live" + i, "live", 0));
        }
        for (int i = 0; i < 20; i++) {
            awaitStatus("live" + i, FINISH);
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> bridge.channel().attempts("dead").size() >= 5);
        var attempts = bridge.channel().attempts("dead");
        // After the first failure only probes of one message, with growing gaps of at least half the first backoff.
        var probes = attempts.subList(attempts.size() - 3, attempts.size());
        assertThat(probes).allSatisfy(probe -> assertThat(probe.size()).isEqualTo(1));
        assertThat(probes.get(2).atMs() - probes.get(0).atMs()).isGreaterThanOrEqualTo(50);
        assertThat(bridge.status("dead0")).isEqualTo(READY);
        bridge.channel().heal("dead");
        for (int i = 0; i < 20; i++) {
            awaitStatus("dead" + i, FINISH);
            assertThat(bridge.channel().arrivals("dead" + i)).hasSize(1);
            assertThat(bridge.store().find("dead" + i).orElseThrow().attempts()).isZero();
            assertLegalPath("dead" + i);
        }
        assertIndexEmpty();
    }

    @Test
    void onlyItsOwnFailuresMakeADeadLetter() throws Exception {
        bridge.lead(1);
        bridge.channel()
                .script(
                        "t",
                        message ->
                                message.id().equals("poison") ? Delivery.failed("indigestible") : Delivery.DELIVERED);
        bridge.push(bridge.message("poison", "t", 0));
        bridge.push(bridge.message("healthy", "t", 0));
        awaitStatus("healthy", FINISH);
        awaitStatus("poison", FAILED);
        assertThat(path("poison")).containsExactly(DELAY, READY, DELAY, READY, DELAY, READY, FAILED);
        assertThat(bridge.store().find("poison").orElseThrow().attempts()).isEqualTo(3);
        assertThat(bridge.store().flow("poison").get(6).detail()).isEqualTo("indigestible");
        assertLegalPath("poison");
        assertIndexEmpty();
    }

    @Test
    void aRefusedMessageIsDeadAtOnce() throws Exception {
        bridge.lead(1);
        bridge.channel().script("t", message -> Delivery.refused("not valid"));
        bridge.push(bridge.message("refused", "t", 0));
        awaitStatus("refused", FAILED);
        assertThat(path("refused")).containsExactly(DELAY, READY, FAILED);
        assertThat(bridge.channel().attempts("t")).hasSize(1);
        assertIndexEmpty();
    }

    @Test
    void aChannelThatThrowsOnOneMessageDoesNotStopItsTopic() throws Exception {
        bridge.lead(1);
        bridge.channel().script("t", message -> {
            if (message.id().equals("bomb")) {
                throw new IllegalStateException("boom");
            }
            return Delivery.DELIVERED;
        });
        bridge.push(bridge.message("bomb", "t", 0));
        int pushed = 0;
        while (bridge.status("bomb") != FAILED) {
            // Only beside others that pass is it clear that the bomb is to blame.
            assertThat(pushed).isLessThan(200);
            bridge.push(bridge.message("good" + pushed, "t", 0));
            awaitStatus("good" + pushed++, FINISH);
        }
        assertThat(bridge.store().find("bomb").orElseThrow().attempts()).isEqualTo(3);
        assertLegalPath("bomb");
        assertIndexEmpty();
    }

    @Test
    void aChannelThatThrowsAtEverythingMakesNoDeadLetters() throws Exception {
        bridge.lead(1);
        bridge.channel().script("t", message -> {
            throw new NoClassDefFoundError("a/class/of/the/plug-in");
        });
        bridge.push(bridge.message("first", "t", 0));
        // Far more than max-attempts, one message at a time.
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().attempts("t").size() > 12);
        bridge.pushTogether(30, i -> bridge.message("later" + i, "t", 0));
        int before = bridge.channel().attempts("t").size();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().attempts("t").size() > before + 12);
        assertThat(bridge.channel().attempts("t").size()).isLessThan(300);

        bridge.channel().heal("t");

        awaitStatus("first", FINISH);
        for (int i = 0; i < 30; i++) {
            awaitStatus("later" + i, FINISH);
            assertThat(bridge.store().find("later" + i).orElseThrow().attempts())
                    .isZero();
        }
        assertThat(bridge.store().find("first").orElseThrow().attempts()).isZero();
        assertThat(bridge.channel().arrivals()).hasSize(31);
        assertLegalPath("first");
        assertIndexEmpty();
    }

    @Test
    void anAnswerThatIsNoneIsTriedAgain() throws Exception {
        bridge.lead(1);
        bridge.channel().script("t", message -> null);
        bridge.push(bridge.message("m", "t", 0));
        await().until(() -> bridge.channel().attempts("t").size() >= 2);
        bridge.channel().heal("t");
        awaitStatus("m", FINISH);
        assertThat(bridge.store().find("m").orElseThrow().attempts()).isZero();
        assertIndexEmpty();
    }

    @Test
    void aMessageWhoseTtlRanOutExpires() throws Exception {
        bridge.channel().script("t", message -> Delivery.unavailable("not yet"));
        bridge.lead(1);
        bridge.push(bridge.message("late", "t", 0, 1));
        // The topic has backed off: no scan hands over what would come back in front of the first message.
        await().until(() -> bridge.channel().attempts("t").size() >= 2 || bridge.status("late") == EXPIRED);
        bridge.push(bridge.message("patient", "t", 0));
        awaitStatus("late", EXPIRED);
        assertThat(bridge.channel().arrivals("late")).isEmpty();
        bridge.channel().heal("t");
        awaitStatus("patient", FINISH);
        assertLegalPath("late");
        assertIndexEmpty();
    }

    @Test
    void onlyTheLeaderDispatches() throws Exception {
        bridge.push(bridge.message("waits", "t", 0));
        assertThat(bridge.channel().attempts("t")).isEmpty();
        bridge.lead(1);
        awaitStatus("waits", FINISH);
        bridge.rest();
        bridge.push(bridge.message("waits-too", "t", 0));
        assertThat(bridge.status("waits-too")).isEqualTo(DELAY);
        bridge.lead(2);
        awaitStatus("waits-too", FINISH);
    }

    private static void pause(long milliseconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
