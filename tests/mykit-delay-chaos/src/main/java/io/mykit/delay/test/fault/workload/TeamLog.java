package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Team;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** What the members of the teams were answered. Thread-safe. */
final class TeamLog {
    private final Queue<Shown> shown = new ConcurrentLinkedQueue<>();

    List<Shown> shown() {
        return List.copyOf(shown);
    }

    /** An answer to a team, with what it may not have. */
    void shown(Team team, String call, Answer answer, List<String> forbidden) {
        String foreign = forbidden.stream()
                .filter(each -> answer.text().contains(each))
                .findFirst()
                .map(each -> each + " in " + answer.text())
                .orElse("");
        shown.add(new Shown(team.name(), call, foreign));
    }

    /** What only the messages of others have. */
    static List<String> marksOfOthers(Team team) {
        return Stream.concat(
                        Team.ALL.stream().filter(other -> !other.equals(team)).map(Team::mark),
                        Stream.of("body of m", "body of p"))
                .toList();
    }

    /** The same, and names that only others may see. */
    static List<String> namesOfOthers(Team team) {
        Stream<String> names = Stream.concat(
                Team.ALL.stream().map(each -> each.full("")),
                Stream.concat(Mix.PRODUCED.stream(), Stream.of(Rig.PULLED, Rig.CROWD, Rig.CALLBACKS))
                        .map(topic -> '"' + topic + '"'));
        return Stream.concat(marksOfOthers(team).stream(), names).toList();
    }
}
