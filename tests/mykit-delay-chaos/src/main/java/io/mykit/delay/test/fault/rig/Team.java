package io.mykit.delay.test.fault.rig;

import java.util.List;

/**
 * A team with a namespace of its own. All teams have the same topics and ids, by the names that their tokens say.
 *
 * @param name of the namespace
 */
public record Team(String name) {
    /** A topic that goes to the broker. */
    public static final String DELIVERED = "orders";
    /** A topic whose messages the team pulls. */
    public static final String PULLED = "work";

    public static final List<Team> ALL = List.of(new Team("red"), new Team("blue"));

    /** The name that the queue has. */
    public String full(String own) {
        return name + "/" + own;
    }

    public String delivered() {
        return full(DELIVERED);
    }

    public String pulled() {
        return full(PULLED);
    }

    /** In the bodies and business keys of the team, and nowhere else. */
    public String mark() {
        return "mark of " + name;
    }

    public static boolean isPulled(String topic) {
        return ALL.stream().anyMatch(team -> team.pulled().equals(topic));
    }
}
