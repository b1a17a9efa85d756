package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.ClockSeen;
import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.history.Index;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Unlively;
import io.mykit.delay.test.fault.history.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A history made up by hand. Messages are sent at {@value #SENT_MS} with a delay of {@value #DELAY_MS}. */
final class History {
    static final long SENT_MS = 1_000_000;
    static final long DELAY_MS = 500;
    static final long DUE_MS = SENT_MS + DELAY_MS;

    final Map<String, Pushed> pushed = new HashMap<>();
    final List<Seen> seen = new ArrayList<>();
    final List<Window> windows = new ArrayList<>();
    final List<EpochSeen> epochs = new ArrayList<>();
    final List<Unlively> unlively = new ArrayList<>();
    final Map<String, Row> rows = new HashMap<>();
    final Set<String> pool = new HashSet<>();
    final List<String> orphans = new ArrayList<>();
    final List<String> flow = new ArrayList<>();
    final List<String> surprises = new ArrayList<>();
    final List<ClockSeen> clocks = new ArrayList<>();

    History acknowledged(String id, Cancel... cancels) {
        pushed.put(id, new Pushed(id, "t", DELAY_MS, SENT_MS, true, List.of(cancels)));
        return this;
    }

    History unanswered(String id, Cancel... cancels) {
        pushed.put(id, new Pushed(id, "t", DELAY_MS, SENT_MS, false, List.of(cancels)));
        return this;
    }

    History sleeper(String id) {
        pushed.put(id, new Pushed(id, "t", Pushed.SLEEP_MS, SENT_MS, true, List.of()));
        return this;
    }

    History row(String id, MessageStatus status) {
        return row(id, status, 0);
    }

    History row(String id, MessageStatus status, int attempts) {
        rows.put(id, new Row(id, status, attempts));
        return this;
    }

    History arrived(String id, long atMs) {
        seen.add(new Seen(id, "t", DUE_MS, atMs));
        return this;
    }

    /** With a leader at once. */
    History fault(long fromMs, long healedMs) {
        return fault(fromMs, healedMs, 100);
    }

    History fault(long fromMs, long healedMs, long leaderMs) {
        windows.add(new Window("fault", fromMs, healedMs, leaderMs, -1));
        return this;
    }

    History inRedis(String id) {
        pool.add(id);
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
                new Index(pool, orphans),
                flow,
                surprises,
                clocks,
                Duration.ofSeconds(4));
    }
}
