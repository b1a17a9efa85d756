package io.mykit.delay.access.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.error.RateLimitedException;
import io.mykit.delay.queue.memory.MemoryLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLimitsTest {
    private final Time time = new Time();
    private final MemoryLimits redis = new MemoryLimits(time);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final NodeLimits node = node(() -> 1);

    private NodeLimits node(IntSupplier nodes) {
        return new NodeLimits(redis, name -> NamespaceLimits.NONE, nodes, time, meters, time::nanos);
    }

    private static Principal token(int pushRate, int pullRate) {
        return token("1", pushRate, pullRate, NamespaceLimits.NONE);
    }

    private static Principal token(String id, int pushRate, int pullRate, NamespaceLimits ofNamespace) {
        return new Principal(
                "token " + id,
                List.of(Role.PRODUCER),
                "shop",
                Optional.of(id),
                Optional.empty(),
                new CallerLimits(pushRate, pullRate, ofNamespace));
    }

    private static void round(NodeLimits of) {
        Duration unused = of.runOnce();
    }

    private static Permit ask(NodeLimits of, Principal caller, Kind kind, int items) {
        CompletableFuture<Permit> asked = of.ask(caller, kind, items);
        round(of);
        // The rate of the namespace is asked after that of the token.
        round(of);
        assertThat(asked).isDone();
        return asked.join();
    }

    private static boolean pushes(NodeLimits of, Principal caller) {
        return ask(of, caller, Kind.PUSH, 1).isGo();
    }

    /** The pushes that pass while each node is asked once a millisecond. */
    private int passed(Principal caller, int seconds, NodeLimits... nodes) {
        int passed = 0;
        for (int ms = 0; ms < seconds * 1000; ms++) {
            for (NodeLimits each : nodes) {
                passed += pushes(each, caller) ? 1 : 0;
            }
            time.pass(1);
        }
        return passed;
    }

    @Test
    void aCallerWithoutLimitsAsksNobody() {
        for (Principal caller : List.of(Principal.ANONYMOUS, Principal.PRODUCER, token(0, 0), token(0, 5))) {
            assertThat(node.ask(caller, Kind.PUSH, 1_000_000)).isCompletedWithValue(Permit.GO);
            node.passed(caller, Kind.PUSH, 1_000_000);
        }
        round(node);
        assertThat(redis.exchanges()).isZero();
    }

    @Test
    void aTokenThatRestedHasTheItemsOfASecondAndThenItsRate() {
        assertThat(passed(token(10, 0), 1, node)).isBetween(18, 20);
        assertThat(passed(token(10, 0), 10, node)).isBetween(99, 101);
    }

    @Test
    void aRefusalSaysWhenTheCallMayComeAgain() {
        Principal caller = token(2, 0);
        assertThat(pushes(node, caller)).isTrue();
        assertThat(pushes(node, caller)).isTrue();
        Permit refused = ask(node, caller, Kind.PUSH, 1);
        assertThat(refused.retryAfterMs()).isBetween(490L, 500L);
        assertThatThrownBy(refused::require)
                .isInstanceOfSatisfying(RateLimitedException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(ErrorCode.RATE_LIMITED);
                    assertThat(failure.retryAfterSeconds()).isEqualTo(1);
                })
                .hasMessageStartingWith("the token is over its pushRate of 2 a second; try again in ");
        time.pass(refused.retryAfterMs());
        assertThat(pushes(node, caller)).isTrue();
        assertThat(meters.get("mykit.delay.rate.limited")
                        .tag("kind", "push")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 50, 900})
    void twoNodesShareARateWithinFivePercent(int rate) {
        NodeLimits other = node(() -> 2);
        Principal caller = token(rate, 0);
        int unused = passed(caller, 2, node, other);
        assertThat(passed(caller, 30, node, other)).isBetween((int) (28.5 * rate), (int) (31.5 * rate));
    }

    @Test
    void aNodeThatIsHardlyUsedKeepsNothingFromTheOther() {
        NodeLimits other = node(() -> 2);
        Principal caller = token(100, 0);
        int unused = passed(caller, 2, node);
        int onOther = 0;
        int onNode = 0;
        for (int second = 0; second < 20; second++) {
            onOther += pushes(other, caller) ? 1 : 0;
            onNode += passed(caller, 1, node);
        }
        assertThat(onOther + onNode).isBetween(1900, 2100);
    }

    @Test
    void fewCallsReachRedis() {
        Principal below = token("1", 1000, 0, NamespaceLimits.NONE);
        Principal above = token("2", 100, 0, NamespaceLimits.NONE);
        for (int ms = 0; ms < 10_000; ms += 2) {
            assertThat(pushes(node, below)).isTrue();
            time.pass(2);
        }
        assertThat(redis.exchanges()).as("5,000 calls below the rate").isLessThan(150);
        int before = redis.exchanges();
        int passed = passed(above, 10, node);
        assertThat(passed).isBetween(1000, 1110);
        assertThat(redis.exchanges() - before).as("10,000 calls above the rate").isLessThan(700);
    }

    @Test
    void aCallBelowTheRateDoesNotWait() {
        Principal caller = token(1000, 0);
        assertThat(pushes(node, caller)).as("the first one asks Redis").isTrue();
        for (int i = 0; i < 100; i++) {
            assertThat(node.ask(caller, Kind.PUSH, 1)).isCompletedWithValue(Permit.GO);
            round(node);
            time.pass(5);
        }
    }

    @Test
    void aBatchThatIsLargerThanTheRatePassesAndLaterCallsPayForIt() {
        NodeLimits other = node(() -> 2);
        Principal caller = token(10, 0);
        assertThat(pushes(node, caller)).isTrue();
        node.passed(caller, Kind.PUSH, 999);
        round(node);
        Permit refused = ask(node, caller, Kind.PUSH, 1);
        assertThat(refused.retryAfterMs()).isBetween(98_000L, 99_200L);
        assertThat(pushes(other, caller)).as("the other node knows the debt").isFalse();
        time.pass(98_000);
        assertThat(pushes(other, caller)).isFalse();
        time.pass(1_300);
        assertThat(pushes(node, caller)).isTrue();
    }

    @Test
    void aPullThatGetsNothingCostsNothing() {
        Principal caller = token(0, 2);
        for (int i = 0; i < 100; i++) {
            assertThat(ask(node, caller, Kind.PULL, 0).isGo()).isTrue();
        }
        node.passed(caller, Kind.PULL, 2);
        round(node);
        assertThat(ask(node, caller, Kind.PULL, 0).isGo()).isFalse();
        assertThat(pushes(node, caller)).as("pushes have no limit").isTrue();
        time.pass(1100);
        assertThat(ask(node, caller, Kind.PULL, 0).isGo()).isTrue();
    }

    @Test
    void manyCallsAtOnceWaitForOneExchange() {
        Principal caller = token(50, 0);
        List<CompletableFuture<Permit>> asked = IntStream.range(0, 60)
                .mapToObj(i -> node.ask(caller, Kind.PUSH, 1))
                .toList();
        assertThat(asked).noneMatch(CompletableFuture::isDone);
        round(node);
        assertThat(asked.stream().filter(CompletableFuture::isDone)).hasSize(50);
        assertThat(redis.exchanges()).isEqualTo(1);
        round(node);
        assertThat(asked).allMatch(CompletableFuture::isDone);
        assertThat(asked.stream().filter(permit -> permit.join().isGo())).hasSize(50);
    }

    @Test
    void aNamespaceLimitsItsTokensTogether() {
        NamespaceLimits shop = new NamespaceLimits(20, 0, 0, 0, 0);
        Principal one = token("1", 1000, 0, shop);
        Principal two = token("2", 0, 0, shop);
        int passed = 0;
        for (int ms = 0; ms < 10_000; ms++) {
            passed += pushes(node, one) ? 1 : 0;
            passed += pushes(node, two) ? 1 : 0;
            time.pass(1);
        }
        assertThat(passed).isBetween(200, 222);
        boolean unused = pushes(node, two);
        assertThat(ask(node, two, Kind.PUSH, 1).reason()).startsWith("the namespace is over its pushRate of 20");
    }

    @Test
    void whatTheNamespaceRefusesIsNotSpentByTheToken() {
        NamespaceLimits closed = new NamespaceLimits(1, 0, 0, 0, 0);
        Principal both = token("1", 5, 0, closed);
        for (int i = 0; i < 50; i++) {
            boolean unused = pushes(node, both);
        }
        Principal free = token("1", 5, 0, NamespaceLimits.NONE);
        for (int i = 0; i < 4; i++) {
            assertThat(pushes(node, free)).as("%s", i).isTrue();
        }
    }

    @Test
    void whileRedisIsAwayEachNodeHasItsPart() {
        NodeLimits second = node(() -> 2);
        Principal caller = token(20, 0);
        assertThat(pushes(second, caller)).isTrue();
        time.pass(6_000);
        round(second);
        redis.setAway(true);
        int unused = passed(caller, 2, second);
        assertThat(passed(caller, 10, second)).isBetween(95, 105);
        redis.setAway(false);
        unused = passed(caller, 3, second);
        assertThat(passed(caller, 10, second)).isBetween(190, 210);
    }

    @Test
    void aNodeThatStartsWithoutRedisHasItsPartAtOnce() {
        redis.setAway(true);
        assertThat(pushes(node, token(1, 0))).isTrue();
        assertThat(pushes(node, token(1, 0))).isFalse();
        time.pass(1000);
        assertThat(pushes(node, token(1, 0))).isTrue();
    }

    @Test
    void callsDoNotWaitForASlowRedis() {
        Principal caller = token(10, 0);
        CompletableFuture<Permit> first = node.ask(caller, Kind.PUSH, 1);
        assertThat(first).isNotDone();
        time.pass(300);
        assertThat(node.ask(caller, Kind.PUSH, 1)).isCompletedWithValue(Permit.GO);
        assertThat(first).isCompletedWithValue(Permit.GO);
        round(node);
        assertThat(passed(caller, 10, node)).as("it answered late").isBetween(95, 120);
    }

    @Test
    void aRoundThatFailsIsARoundWithoutRedis() {
        NodeLimits broken =
                new NodeLimits(new BrokenLimits(), name -> NamespaceLimits.NONE, () -> 1, time, meters, time::nanos);
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Permit> asked = broken.ask(token(1, 0), Kind.PUSH, 1);
            assertThatThrownBy(() -> round(broken)).as("the %s. order", i + 1).hasMessage("a defect");
            assertThat(asked).isCompletedWithValue(Permit.GO);
            time.pass(1000);
        }
    }

    @Test
    void aNewRateCountsFromTheNextCallOn() {
        int unused = passed(token(5, 0), 2, node);
        assertThat(passed(token(100, 0), 10, node)).isBetween(950, 1100);
        assertThat(passed(token(5, 0), 10, node)).isBetween(45, 70);
    }

    @Test
    void aBucketThatNobodyUsesIsForgottenAndItsDebtIsNot() {
        Principal caller = token(1, 0);
        assertThat(pushes(node, caller)).isTrue();
        node.passed(caller, Kind.PUSH, 500);
        round(node);
        time.pass(120_000);
        round(node);
        time.pass(10_000);
        assertThat(pushes(node, caller)).isFalse();
    }
}
