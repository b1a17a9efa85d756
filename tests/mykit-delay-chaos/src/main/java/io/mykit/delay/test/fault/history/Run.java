package io.mykit.delay.test.fault.history;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that invariants judge. Immutable.
 *
 * @param pushed by id
 * @param seen in the order of arrival; of callbacks those that their receivers accepted
 * @param rows by id
 * @param flow where the log is no legal path
 * @param begunAgain when messages that had been delivered began again, epoch milliseconds of the cluster, by id
 * @param surprises answers that the contract does not know
 * @param clocks in the order in which they were looked at
 * @param pulls the messages that consumers pull; they are not in {@code seen}
 * @param dead the table of dead letters
 * @param shown the answers to teams; none if there are no teams
 * @param sessionTimeout after which a silent leader is replaced
 */
public record Run(
        Map<String, Pushed> pushed,
        List<Seen> seen,
        List<Window> windows,
        List<EpochSeen> epochs,
        List<Unlively> unlively,
        Map<String, Row> rows,
        Index index,
        List<String> flow,
        Map<String, List<Long>> begunAgain,
        List<String> surprises,
        List<ClockSeen> clocks,
        Callbacks callbacks,
        Pulls pulls,
        List<Dead> dead,
        List<Shown> shown,
        Duration sessionTimeout) {

    /** The most that the clock of the cluster differs from that of the producers. */
    private static final long CLOCKS_MS = 50;

    /** The version of its message that arrived; empty if no producer pushed it so. */
    public Optional<Version> version(Seen arrival) {
        return Optional.ofNullable(pushed.get(arrival.id()))
                .flatMap(message -> message.version(arrival.body(), arrival.dueMs()));
    }

    /** Names the version that arrived. A delivered message may begin again as another version: that is no duplicate. */
    public String versionName(Seen arrival) {
        return version(arrival).map(Version::number).orElse(0) + " of " + arrival.id();
    }

    /**
     * Whether this version took up a message that had been delivered. Its broker has the delivered version by then, and brings it to the
     * consumer when it can.
     */
    public boolean beganAgain(String id, Version version) {
        return begunAgain.getOrDefault(id, List.of()).stream()
                .anyMatch(atMs -> atMs >= version.sentMs() - CLOCKS_MS && atMs <= version.acknowledgedMs() + CLOCKS_MS);
    }

    /** Whether something at that time may be laid to a fault. */
    public boolean isDisturbed(long atMs) {
        return windows.stream().anyMatch(window -> window.covers(atMs));
    }
}
