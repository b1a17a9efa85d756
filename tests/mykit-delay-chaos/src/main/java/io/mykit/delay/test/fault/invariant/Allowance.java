package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Window;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * How much later than {@link #ANYWAY} a message may be for the sake of a fault. All exceptions are here.
 *
 * @param faults names, or beginnings of names
 * @param afterEnd in addition, from the fault's end
 * @param ofEach in addition, from the own due time of each message that was pushed before the fault ended
 */
record Allowance(List<String> faults, Duration afterEnd, Duration ofEach) {
    /** On a machine whose cores are busy with something else. */
    static final Duration ANYWAY = Duration.ofSeconds(5);

    /** A veto lasts 20 s if the call that set it was cut; the auditor finds the message after that. */
    static final Duration CUT_CALL = Duration.ofSeconds(25);

    /** The time in which a node waits for the answer of a receiver. */
    static final Duration UNANSWERED = Duration.ofSeconds(3);

    /** The answer to a pull was lost in a fault: the message comes again after its hold and the gap. */
    static final Duration LOST_PULL = Duration.ofSeconds(9);

    private static final List<Allowance> ALL = List.of(
            // Redis has forgotten messages that are not due yet, and their bucket looks whole. The auditor asks for
            // each when it is overdue by 3 s, the collector of strays looks every 10 s.
            new Allowance(
                    List.of("delete-pool", "delete-waiting", "delete-heads", "delete-lease", "delete-ready"),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(15)),
            // The ready list is there, and its topic is unknown to the leader until the next message of that topic.
            new Allowance(List.of("delete-topics"), Duration.ofSeconds(10), Duration.ZERO),
            // Nodes follow sentinels that were set up anew when their vote has lasted for five seconds.
            new Allowance(List.of("rebuild-sentinels"), Duration.ofSeconds(5), Duration.ZERO),
            // The circuit of a receiver that failed all the time is open for a pause, which doubles: it becomes about
            // as long as the fault.
            new Allowance(
                    List.of("kill-receiver", "freeze-receiver", "error-receiver", "busy-receiver"),
                    Duration.ofSeconds(10),
                    Duration.ZERO));

    private static final Allowance NONE = new Allowance(List.of(), Duration.ZERO, Duration.ZERO);

    /** How much later than the end of a fault a message may be for the sake of its own calls. */
    static Duration afterFault(Pushed pushed) {
        return pushed.wasCut() ? CUT_CALL : ANYWAY;
    }

    /** The largest of those for the faults of a window. */
    static Allowance of(Window window) {
        return of(window.kinds());
    }

    /**
     * The same for a message that is called back by a receiver that has faults: the pause of its circuit may be as long as the fault.
     */
    static Allowance ofCallback(Window window) {
        Allowance largest = of(window);
        Duration lasted = Duration.ofMillis(window.healedMs() - window.fromMs());
        boolean grows =
                window.kinds().stream().anyMatch(Allowance::isOfReceiver) && lasted.compareTo(largest.afterEnd()) > 0;
        return grows ? new Allowance(largest.faults(), lasted, largest.ofEach()) : largest;
    }

    /** The same for any other message: no fault of a receiver touches it. */
    static Allowance ofOthers(Window window) {
        return of(window.kinds().stream().filter(kind -> !isOfReceiver(kind)).toList());
    }

    private static Allowance of(List<String> kinds) {
        return kinds.stream()
                .flatMap(kind ->
                        ALL.stream().filter(each -> each.faults().stream().anyMatch(kind::startsWith)))
                .max(Comparator.comparing(Allowance::afterEnd))
                .orElse(NONE);
    }

    private static boolean isOfReceiver(String kind) {
        return kind.endsWith("-receiver");
    }
}
