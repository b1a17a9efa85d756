package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.rig.Team;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much is asked of the nodes.
 *
 * @param producers threads
 * @param perSecond requests of all of them together while nobody waits
 * @param maxDelayMs delays are uniform from 0 to this
 * @param consumers that pull; 0 = no messages are pushed for them
 * @param crowd messages for the slow receiver that are due at once, again and again; 0 = none
 * @param teams whether the teams work beside
 */
public record Mix(int producers, int perSecond, long maxDelayMs, int consumers, int crowd, boolean teams) {
    /** Where producers send. */
    static final List<String> PRODUCED = List.of("alpha", "beta", "gamma", "delta", "omega");
    /** An operator clears this one now and then. */
    static final String CLEARED = "cleared";

    private static final List<String> TOPICS =
            Stream.concat(PRODUCED.stream(), Stream.of(CLEARED)).toList();

    /** For selections that are to be over soon. */
    public static final Mix SHORT = new Mix(6, 40, 4_000, 4, 0, false);
    /** For long runs. */
    public static final Mix LONG = new Mix(8, 50, 20_000, 0, 2_500, false);

    /** The same with so many consumers that pull. */
    public Mix withConsumers(int number) {
        return new Mix(producers, perSecond, maxDelayMs, number, crowd, teams);
    }

    /** The same with teams, or without. */
    public Mix withTeams(boolean given) {
        return new Mix(producers, perSecond, maxDelayMs, consumers, crowd, given);
    }

    /** Where messages go. */
    public List<String> topics() {
        return teams
                ? Stream.concat(TOPICS.stream(), Team.ALL.stream().map(Team::delivered))
                        .toList()
                : TOPICS;
    }
}
