package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** By hand: the test ends each call, and moves the time. */
class PlacesTest {
    private final AtomicLong nanoTime = new AtomicLong(-5);
    private double random;
    private final List<TestCall> begun = new ArrayList<>();
    private final Places places = places(2, 3);

    @Test
    void aHostHasItsBoundAndTheOldestWaitingIsNext() {
        List<TestCall> calls = List.of(call("a", 5), call("a", 4), call("a", 3), call("a", 1), call("a", 2));
        calls.forEach(places::enter);
        assertThat(begun).containsExactly(calls.get(0), calls.get(1));

        begun.get(0).end(Sign.WELL);
        begun.get(1).end(Sign.WELL);
        begun.get(2).end(Sign.WELL);

        assertThat(begun).extracting(TestCall::dueTimeMs).containsExactly(5L, 4L, 1L, 2L, 3L);
        assertThat(places.inFlight()).isEqualTo(2);
    }

    @Test
    void hostsTakeTurnsForThePlacesThatAllShare() {
        List.of("a", "a", "a", "a", "b", "b", "c").forEach(host -> places.enter(call(host, 1)));
        assertThat(begun).extracting(TestCall::receiver).containsExactly("a", "a", "b");

        for (int i = 0; i < 4; i++) {
            begun.get(i).end(Sign.WELL);
        }

        assertThat(begun).extracting(TestCall::receiver).containsExactly("a", "a", "b", "b", "c", "a", "a");
    }

    @Test
    void moreThanAThousandWaitingFindNoPlace() {
        List<TestCall> calls = IntStream.rangeClosed(0, 2 + Places.MAX_WAITING)
                .mapToObj(i -> call("a", i))
                .toList();
        calls.forEach(places::enter);

        assertThat(calls.subList(0, 2 + Places.MAX_WAITING)).allMatch(call -> call.fate == null);
        assertThat(calls.get(2 + Places.MAX_WAITING).fate.kind()).isEqualTo(Delivery.Kind.FULL);
        assertThat(places.full(calls.get(0).own(), "a").orElseThrow().kind()).isEqualTo(Delivery.Kind.FULL);
        assertThat(places.full(calls.get(0).own(), "b")).isEmpty();

        begun.get(0).end(Sign.WELL);

        assertThat(places.full(calls.get(0).own(), "a")).isEmpty();
    }

    @Test
    void messagesWithoutAPlaceComeBackWhenTheirTurnIsNear() {
        for (int i = 0; i < 2 + Places.MAX_WAITING; i++) {
            places.enter(call("a", i));
        }
        pass(Duration.ofMillis(40));
        begun.get(0).end(Sign.WELL);

        // One request in 20 ms: half of the waiting ones take ten seconds.
        assertThat(enter("a").fate).isNull();
        assertThat(enter("a").fate.retryAfter().toMillis()).isBetween(10_000L, 10_040L);
        assertThat(enter("a").fate.retryAfter().toMillis()).isBetween(10_030L, 10_060L);
    }

    /** However many they are, they do not keep the stores busy. */
    @Test
    void messagesWhoseTurnIsFarAwayLookForAPlaceOneAfterTheOther() {
        for (int i = 0; i < 2 + Places.MAX_WAITING; i++) {
            places.enter(call("a", i));
        }
        pass(Duration.ofMillis(200));
        begun.get(0).end(Sign.WELL);
        enter("a");
        // A request in 100 ms: half of the waiting ones take 50 s, and 99 further ones the rest of a minute.
        List<Duration> waits = IntStream.range(0, 120_000)
                .mapToObj(i -> enter("a").fate.retryAfter())
                .toList();
        assertThat(waits.subList(0, 99)).allMatch(wait -> wait.toMillis() >= 50_000 && wait.toMillis() < 60_000);
        assertThat(waits.get(100)).isEqualTo(Duration.ofMillis(30_005));
        assertThat(waits.get(101)).isEqualTo(Duration.ofMillis(30_010));
        assertThat(waits.get(20_099)).isEqualTo(Duration.ofSeconds(130));
        assertThat(waits).as("of 120,000").allMatch(wait -> wait.compareTo(Duration.ofMinutes(10)) <= 0);
    }

    @Test
    void looksOfAReceiverThatAnswersMoreAreMore() {
        for (int i = 0; i < 2 + Places.MAX_WAITING; i++) {
            places.enter(call("a", i));
        }
        pass(Duration.ofMillis(8));
        begun.get(0).end(Sign.WELL);
        enter("a");
        Duration last = Duration.ZERO;
        for (int i = 0; i < 16_000; i++) {
            last = enter("a").fate.retryAfter();
        }
        Duration next = enter("a").fate.retryAfter();
        assertThat(next.minus(last))
                .as("half of the time of a request")
                .isBetween(Duration.ofMillis(1), Duration.ofMillis(3));
    }

    @Test
    void messagesOfAFastReceiverWithoutAPlaceWaitForASecond() {
        for (int i = 0; i < 2 + Places.MAX_WAITING; i++) {
            places.enter(call("a", i));
        }
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void slowReceiverGetsAsManyRequestsAheadAsPlaces() {
        assertThat(places.free(false, "a")).as("unknown").isEqualTo(4);
        TestCall first = new TestCall("a", false, false, 1);
        places.enter(first);
        assertThat(places.free(false, "a")).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            places.enter(new TestCall("a", false, false, 1));
        }
        assertThat(places.free(false, "a")).isZero();
        pass(Duration.ofSeconds(3));
        first.end(Sign.WELL);
        assertThat(places.free(false, "a")).isEqualTo(1);
        assertThat(places.free(true, "a")).as("of targets").isEqualTo(4);
    }

    @Test
    void fastReceiverGetsTheRequestsOfASecond() {
        TestCall call = new TestCall("a", false, false, 1);
        places.enter(call);
        pass(Duration.ofMillis(10));
        call.end(Sign.WELL);
        assertThat(places.free(false, "a")).isEqualTo(2 + 200);
    }

    /** A batch has a cost of its own. */
    @Test
    void fewFreePlacesOfAFastReceiverCountAsNone() {
        TestCall call = new TestCall("a", false, false, 1);
        places.enter(call);
        pass(Duration.ofMillis(10));
        call.end(Sign.WELL);
        for (int i = 0; i < 152; i++) {
            places.enter(new TestCall("a", false, false, 1));
        }
        assertThat(places.free(false, "a")).isEqualTo(50);
        places.enter(new TestCall("a", false, false, 1));
        assertThat(places.free(false, "a")).isZero();
    }

    @Test
    void deferralsBesideTheProbeAndAfterItLeaveNoRecord() {
        failThreeTimes("a");
        assertThat(enter("a").fate.kind()).isEqualTo(Delivery.Kind.DEFERRED);
        pass(Duration.ofSeconds(30));
        TestCall probe = enter("a");
        assertThat(enter("a").fate.kind()).isEqualTo(Delivery.Kind.FULL);
        probe.end(Sign.SILENT);
        assertThat(enter("a").fate.kind()).isEqualTo(Delivery.Kind.FULL);
        pass(Duration.ofMinutes(1));
        enter("a").end(Sign.WELL);
        failThreeTimes("a");
        assertThat(enter("a").fate.kind()).as("ill again").isEqualTo(Delivery.Kind.DEFERRED);
    }

    /** They do not all fall due at once. */
    @Test
    void deferralsOfAnOpenCircuitAreSpread() {
        failThreeTimes("a");
        random = 1;
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofMillis(37_500));
    }

    @Test
    void anOpenCircuitIsProbedAtOnceIfAnOperatorWantsIt() {
        failThreeTimes("a");
        assertThat(enter("a").fate).as("it is open").isNotNull();
        places.tryNow();
        TestCall probe = enter("a");
        assertThat(probe.fate).as("the probe is on its way").isNull();
        assertThat(enter("a").fate).as("one request at a time").isNotNull();
        probe.end(Sign.WELL);
        assertThat(enter("a").fate).isNull();
    }

    @Test
    void anOpenCircuitDefersThoseThatWaitToo() {
        Places lone = places(1, 100);
        List<TestCall> calls =
                IntStream.range(0, 1000).mapToObj(i -> call("a", i)).toList();
        calls.forEach(lone::enter);
        for (int i = 0; i < 3; i++) {
            begun.get(i).end(Sign.ILL);
        }

        assertThat(begun).hasSize(3);
        assertThat(calls.subList(3, 1000)).allSatisfy(call -> assertThat(call.fate)
                .isEqualTo(Delivery.deferred("the circuit of this host is open").retryAfter(Duration.ofSeconds(30))));
        assertThat(lone.inFlight()).isZero();
        assertThat(lone.openCircuits()).isEqualTo(1);
    }

    @Test
    void oneProbeDecidesWhetherTheHostIsWell() {
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());

        TestCall probe = enter("a");
        TestCall beside = enter("a");
        assertThat(begun).endsWith(probe);
        assertThat(beside.fate.retryAfter()).isEqualTo(Duration.ofMillis(7_500));

        probe.end(Sign.SILENT);
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofSeconds(60));

        nanoTime.addAndGet(Duration.ofSeconds(60).toNanos());
        enter("a").end(Sign.WELL);
        assertThat(places.openCircuits()).isZero();
        failThreeTimes("a");
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aMessageThatTheHostAlwaysRefusesIsNotTheLastProbe() {
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        for (int i = 0; i < 4; i++) {
            enter("a").end(Sign.ILL);
        }
        enter("a").end(Sign.WELL);
        assertThat(places.openCircuits()).isZero();
    }

    @Test
    void fiveAnsweredErrorsInARowDoubleThePause() {
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        for (int i = 0; i < 5; i++) {
            enter("a").end(Sign.ILL);
        }
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void thePauseIsTenMinutesAtMost() {
        failThreeTimes("a");
        for (int i = 0; i < 10; i++) {
            nanoTime.addAndGet(Duration.ofMinutes(10).toNanos());
            enter("a").end(Sign.SILENT);
        }
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void aProbeThatWasNotSentLetsAnotherOneGo() {
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        enter("a").place.leave();

        assertThat(enter("a").fate).isNull();
    }

    @Test
    void failuresOfRequestsUnderWayTogetherCountAThird() {
        Places wide = places(10, 10);
        for (int i = 0; i < 10; i++) {
            wide.enter(call("a", 1));
        }
        List.copyOf(begun).forEach(call -> call.end(Sign.SILENT));
        assertThat(wide.openCircuits()).isZero();

        for (int i = 0; i < 2; i++) {
            TestCall call = call("a", 1);
            wide.enter(call);
            call.end(Sign.SILENT);
        }
        assertThat(wide.openCircuits()).isEqualTo(1);
    }

    @Test
    void aSilentReceiverOpensItInItsThirdTurn() {
        Places wide = new Places(32, 32, () -> new Circuit(10, Duration.ofSeconds(30)), nanoTime::get, () -> random);
        for (int turn = 1; turn <= 3; turn++) {
            begun.clear();
            for (int i = 0; i < 32; i++) {
                wide.enter(call("a", 1));
            }
            assertThat(begun).hasSize(32);
            List.copyOf(begun).forEach(call -> call.end(Sign.SILENT));
            assertThat(wide.openCircuits()).isEqualTo(turn == 3 ? 1 : 0);
        }
    }

    @Test
    void onlyTheProbeMakesThePauseLonger() {
        TestCall silent = enter("a");
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        TestCall probe = enter("a");

        silent.end(Sign.SILENT);
        assertThat(enter("a").fate.retryAfter()).as("beside the probe").isEqualTo(Duration.ofMillis(7_500));

        probe.end(Sign.SILENT);
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void anOlderRequestThatWasNotSentLetsNoSecondProbeGo() {
        TestCall unsent = enter("a");
        failThreeTimes("a");
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        enter("a");

        unsent.place.leave();
        assertThat(enter("a").fate.retryAfter()).isEqualTo(Duration.ofMillis(7_500));
    }

    @Test
    void aProbeOfACircuitThatClosedMeanwhileIsNoProbeAnyMore() {
        Places wide = places(3, 3);
        List<TestCall> calls = IntStream.range(0, 8).mapToObj(i -> call("a", i)).toList();
        wide.enter(calls.get(0));
        enterAndFail(wide, calls.subList(1, 4));
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        TestCall probe = calls.get(4);
        wide.enter(probe);
        calls.get(0).end(Sign.WELL);
        assertThat(wide.openCircuits()).isZero();

        enterAndFail(wide, calls.subList(5, 8));
        probe.end(Sign.SILENT);
        TestCall deferred = call("a", 9);
        wide.enter(deferred);
        assertThat(deferred.fate.retryAfter()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void theUrlOfTheSectionHasNoCircuit() {
        for (int i = 0; i < 20; i++) {
            TestCall call = new TestCall("a", false, false, 1);
            places.enter(call);
            call.end(Sign.ILL);
        }
        assertThat(begun).hasSize(20);
        assertThat(places.isPaused(false, "a")).isFalse();
    }

    /** The caller prefers another instance while the circuit is open. If it does not, the request is not held up. */
    @Test
    void theCircuitOfAnInstanceDefersNoRequestOfTheSection() {
        for (int i = 0; i < 4; i++) {
            assertThat(places.isPaused(false, "a")).isEqualTo(i == 3);
            TestCall call = new TestCall("a", false, true, 1);
            places.enter(call);
            call.end(Sign.ILL);
        }
        assertThat(begun).hasSize(4);
        nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(places.isPaused(false, "a")).as("a probe is due").isFalse();

        TestCall probe = new TestCall("a", false, true, 1);
        places.enter(probe);
        assertThat(places.isPaused(false, "a")).as("beside the probe").isTrue();
        probe.end(Sign.WELL);
        assertThat(places.isPaused(false, "a")).isFalse();
        assertThat(places.isPaused(true, "a")).as("of a message").isFalse();
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }

    private Places places(int perHost, int maxInFlight) {
        return new Places(
                perHost, maxInFlight, () -> new Circuit(3, Duration.ofSeconds(30)), nanoTime::get, () -> random);
    }

    private void failThreeTimes(String host) {
        for (int i = 0; i < 3; i++) {
            enter(host).end(Sign.ILL);
        }
    }

    private static void enterAndFail(Places entered, List<TestCall> calls) {
        for (TestCall call : calls) {
            entered.enter(call);
            call.end(Sign.ILL);
        }
    }

    private TestCall enter(String host) {
        TestCall call = call(host, 1);
        places.enter(call);
        return call;
    }

    private TestCall call(String host, long dueTimeMs) {
        return new TestCall(host, true, true, dueTimeMs);
    }

    private final class TestCall implements Call {
        private final String receiver;
        private final boolean own;
        private final boolean circuit;
        private final long dueTimeMs;
        private Place place;
        private Delivery fate;

        TestCall(String receiver, boolean own, boolean circuit, long dueTimeMs) {
            this.receiver = receiver;
            this.own = own;
            this.circuit = circuit;
            this.dueTimeMs = dueTimeMs;
        }

        void end(Sign sign) {
            place.saw(sign);
            place.leave();
        }

        @Override
        public String receiver() {
            return receiver;
        }

        @Override
        public boolean own() {
            return own;
        }

        @Override
        public boolean hasCircuit() {
            return circuit;
        }

        @Override
        public long dueTimeMs() {
            return dueTimeMs;
        }

        @Override
        public void begin(Place taken) {
            place = taken;
            begun.add(this);
        }

        @Override
        public void decide(Delivery decided) {
            fate = decided;
        }
    }
}
