package io.mykit.delay.test.fault.history;

import static java.util.stream.Collectors.groupingBy;

import io.mykit.delay.test.fault.history.Settling.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The messages that consumers pull.
 *
 * @param topic of all of them
 * @param maxAttempts of their policy
 * @param handedOut in the order of their arrival
 * @param settlings in the order of their answers
 */
public record Pulls(String topic, int maxAttempts, List<HandedOut> handedOut, List<Settling> settlings) {
    public static final Pulls NONE = new Pulls("", 0, List.of(), List.of());

    public boolean isPulled(Row row) {
        return row.topic().equals(topic);
    }

    /** In the order in which their holds began, by id. */
    public Map<String, List<HandedOut>> byId() {
        return handedOut.stream()
                .sorted(Comparator.comparingLong(HandedOut::fromMs))
                .collect(groupingBy(HandedOut::id));
    }

    public Stream<Settling> of(String id) {
        return settlings.stream().filter(settling -> settling.id().equals(id));
    }

    /** Whether some call may have had this effect on the message. */
    public boolean may(Kind effect, String id) {
        return of(id).anyMatch(settling -> settling.mayBe(effect));
    }
}
