package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.rig.Team;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nothing of one team reaches a consumer, an answer to a pull or a page of another one, and nothing of those without a team does. In a run
 * with teams each team has seen something of its own, so that the promise is not kept by silence.
 */
final class Apart implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        run.shown().stream()
                .filter(shown -> !shown.foreign().isEmpty())
                .forEach(shown -> violations.add(shown.team() + ": " + shown.call() + " showed " + shown.foreign()));
        run.seen().stream()
                .filter(seen -> !isOfOne(seen))
                .forEach(seen -> violations.add(seen.id() + ": arrived on " + seen.topic() + " with: " + seen.body()));
        if (!run.shown().isEmpty()) {
            violations.addAll(silent(run));
        }
        return violations;
    }

    /** Topic, id and body are of one team, or of none. */
    private static boolean isOfOne(Seen seen) {
        Optional<Team> team = Team.ALL.stream()
                .filter(each -> seen.topic().startsWith(each.full("")))
                .findFirst();
        return Team.ALL.stream().allMatch(each -> {
            boolean own = team.equals(Optional.of(each));
            return seen.id().startsWith(each.full("")) == own && seen.body().contains(each.mark()) == own;
        });
    }

    private static List<String> silent(Run run) {
        Set<String> answered = run.shown().stream().map(Shown::team).collect(Collectors.toSet());
        return Team.ALL.stream()
                .filter(team -> !answered.contains(team.name())
                        || run.seen().stream().noneMatch(seen -> seen.topic().equals(team.delivered())))
                .map(team -> team.name() + ": got no answer, or no message")
                .toList();
    }
}
