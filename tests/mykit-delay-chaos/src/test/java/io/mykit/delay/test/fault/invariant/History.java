package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Callbacks;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.ClockSeen;
import io.mykit.delay.test.fault.history.Copy;
import io.mykit.delay.test.fault.history.Dead;
import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Index;
import io.mykit.delay.test.fault.history.Pulls;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Restore;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Settling;
import io.mykit.delay.test.fault.history.Settling.Kind;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.history.Unlively;
import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.history.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history made up by hand. Messages are sent at {@value #SENT_MS} with a delay of {@value #DELAY_MS}. */
final class History {
    static final long SENT_MS = 1_000_000;
    static final long DELAY_MS = 500;
    static final long DUE_MS = SENT_MS + DELAY_MS;
    static final List<Long> GAPS_MS = List.of(1_000L, 2_000L);
    private static final int ATTEMPTS = 3;

    final Map<String, Pushed> pushed = new HashMap<>();
    final List<Seen> seen = new ArrayList<>();
    final List<Window> windows = new ArrayList<>();
    final List<EpochSeen> epochs = new ArrayList<>();
    final List<Unlively> unlively = new ArrayList<>();
    final Map<String, Row> rows = new HashMap<>();
    final Map<String, Copy> pool = new HashMap<>();
    final Map<String, String> empty = new HashMap<>();
    final List<String> orphans = new ArrayList<>();
    final List<String> flow = new ArrayList<>();
    final Map<String, List<Long>> begunAgain = new HashMap<>();
    final List<String> surprises = new ArrayList<>();
    final List<ClockSeen> clocks = new ArrayList<>();
    final Map<String, Callback> plans = new HashMap<>();
    final List<Call> calls = new ArrayList<>();
    final List<Dead> dead = new ArrayList<>();
    final List<Shown> shown = new ArrayList<>();
    final List<HandedOut> handedOut = new ArrayList<>();
    final List<Settling> settlings = new ArrayList<>();
    private String pulledTopic = "";

    History acknowledged(String id, Cancel... cancels) {
        return pushed(id, List.of(version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS)), cancels);
    }

    History unanswered(String id, Cancel... cancels) {
        return pushed(id, List.of(version(0, DELAY_MS, SENT_MS).doubted()), cancels);
    }

    History sleeper(String id) {
        return pushed(id, List.of(version(0, Version.SLEEP_MS, SENT_MS).acknowledged(SENT_MS)));
    }

    /** As all versions of it. */
    History versions(String id, Version... versions) {
        return pushed(id, List.of(versions));
    }

    History pushed(String id, List<Version> versions, Cancel... cancels) {
        pushed.put(id, new Pushed(id, "t", versions, List.of(cancels), List.of(), List.of()));
        return this;
    }

    History restored(String id, long askedMs) {
        pushed.computeIfPresent(id, (key, was) -> was.with(new Restore(askedMs, true)));
        return this;
    }

    /** The operator knows no outcome. */
    History restoreInDoubt(String id, long askedMs) {
        pushed.computeIfPresent(id, (key, was) -> was.with(new Restore(askedMs, false)));
        return this;
    }

    /** Its body is {@code body <number>}. */
    static Version version(int number, long delayMs, long sentMs) {
        return new Version(number, "body " + number, delayMs, 0, 0, sentMs, -1, false);
    }

    History row(String id, MessageStatus status) {
        return row(id, status, 0, DUE_MS);
    }

    History row(String id, MessageStatus status, int version, long dueMs) {
        return row(id, status, version, dueMs, 0);
    }

    History row(String id, MessageStatus status, int version, long dueMs, long ttlSeconds) {
        rows.put(id, new Row(id, "t", status, 0, version, dueMs, ttlSeconds, "body " + version));
        return this;
    }

    History arrived(String id, long atMs) {
        return arrived(id, 0, DUE_MS, atMs);
    }

    History arrived(String id, int version, long dueMs, long atMs) {
        seen.add(new Seen(id, "t", "body " + version, dueMs, atMs));
        return this;
    }

    /** An acknowledged message that is called back at a steady receiver, with gaps of 1 s and 2 s. */
    History callback(String id) {
        return callback(id, new Callback(true, 422, 0, GAPS_MS));
    }

    History callback(String id, Callback plan) {
        plans.put(id, plan);
        return acknowledged(id);
    }

    History called(String id, int attempt, long atMs, int status) {
        return called(new Call(id, "t", "body 0", DUE_MS, attempt, atMs, status, 0));
    }

    History called(Call call) {
        calls.add(call);
        if (call.isAccepted()) {
            seen.add(call.seen());
        }
        return this;
    }

    /** An acknowledged message that consumers pull, with three attempts. */
    History pulled(String id) {
        pulledTopic = "t";
        return acknowledged(id);
    }

    /** The receipt is {@code r<attempt>}. */
    History handedOut(String id, int attempt, long fromMs, long untilMs) {
        handedOut.add(new HandedOut(id, "t", "body 0", DUE_MS, attempt, "r" + attempt, fromMs, untilMs, fromMs));
        return this;
    }

    /** Answered at once. */
    History settled(String id, int attempt, Kind kind, long atMs, Settling.Answered answered) {
        return extended(id, attempt, kind, atMs, answered, 0);
    }

    History extended(String id, int attempt, Kind kind, long atMs, Settling.Answered answered, long untilMs) {
        settlings.add(new Settling(id, "r" + attempt, kind, atMs, atMs, answered, untilMs));
        return this;
    }

    History failed(String id, int attempts, long lastAttemptMs) {
        rows.put(id, new Row(id, "t", MessageStatus.FAILED, attempts, 0, DUE_MS, lastAttemptMs, 0, "body 0"));
        return this;
    }

    History dead(String id, String reason, int attempts) {
        dead.add(new Dead(id, "t", reason, attempts));
        return this;
    }

    /** With a leader at once. */
    History fault(long fromMs, long healedMs) {
        return fault(fromMs, healedMs, 100);
    }

    History fault(long fromMs, long healedMs, long leaderMs) {
        return fault("fault", fromMs, healedMs, leaderMs);
    }

    History fault(String name, long fromMs, long healedMs, long leaderMs) {
        windows.add(new Window(name, fromMs, healedMs, leaderMs, -1));
        return this;
    }

    History inRedis(String id) {
        return inRedis(id, new Copy(0, DUE_MS, "body 0"));
    }

    History inRedis(String id, Copy copy) {
        pool.put(id, copy);
        return this;
    }

    Run run() {
        return new Run(
                pushed,
                seen,
                windows,
                epochs,
                unlively,
                rows,
                new Index(pool, empty, orphans),
                flow,
                begunAgain,
                surprises,
                clocks,
                new Callbacks(plans, calls),
                new Pulls(pulledTopic, ATTEMPTS, handedOut, settlings),
                dead,
                shown,
                Duration.ofSeconds(4));
    }
}
