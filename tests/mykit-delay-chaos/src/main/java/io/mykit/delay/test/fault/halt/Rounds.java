package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.fault.agent.Point;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All steps at which a server is halted. A death after one step's return and a death before the next step's call leave the same
 * state, so one of the two is enough. {@link Methods} names the methods. Callers that are visible here are named by their literals,
 * the others by strings; {@code RoundsTest} finds names that mean nothing.
 */
final class Rounds {
    private Rounds() {}

    static List<Round> all() {
        return Stream.of(DeliveryRounds.all(), CallRounds.all(), PullRounds.all(), RecoveryRounds.all())
                .flatMap(List::stream)
                .toList();
    }

    static Set<Point> points() {
        return all().stream().map(Round::point).collect(Collectors.toSet());
    }
}
