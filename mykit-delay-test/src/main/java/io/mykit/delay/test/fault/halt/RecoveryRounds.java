package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Steps.HOUR_MS;
import static io.mykit.delay.test.fault.halt.Steps.INDEX;
import static io.mykit.delay.test.fault.halt.Steps.LATER_MS;
import static io.mykit.delay.test.fault.halt.Steps.OWNER;
import static io.mykit.delay.test.fault.halt.Steps.PUSH;
import static io.mykit.delay.test.fault.halt.Steps.SLEEPING;
import static io.mykit.delay.test.fault.halt.Steps.SOON_MS;
import static io.mykit.delay.test.fault.halt.Steps.STORE;
import static io.mykit.delay.test.fault.halt.Steps.WAITING;

import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.housekeeping.Housekeeper;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.recovery.Auditor;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Loader;
import io.mykit.delay.queue.recovery.StrayCollector;
import io.mykit.delay.queue.scan.BucketScanner;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.util.List;
import java.util.stream.Stream;

/** Those who make good what a death or a lost part left behind, and housekeeping. */
final class RecoveryRounds {
    /** The messages stay in their pools, and wait nowhere. */
    private static final String LOSE_PLACES =
            "for _, key in ipairs(redis.call('KEYS', '*:waiting:*')) do redis.call('DEL', key) end";

    private RecoveryRounds() {}

    static List<Round> all() {
        return Stream.of(leases(), recovery(), horizon()).flatMap(List::stream).toList();
    }

    /** Deaths of those who make another's death good. */
    private static List<Round> leases() {
        Act underLease = dies(after(STORE + "states", "Gate"), PUSH);
        Act parked = dies(after(OWNER + "park", "OutcomeCommit"), lane -> {
            lane.clients().push(1, 6, 2 * SOON_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        });
        return List.of(
                Round.of("epoch", after(STORE + "nextEpoch", "")).given(WAITING),
                // Buckets that have nothing to give back deliver meanwhile.
                Round.of("claimed", after(INDEX + "claim", BucketScanner.class).at(2))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("found-leased", after(OWNER + "leased", BucketScanner.class))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("released", after(OWNER + "release", BucketScanner.class))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("learn-parked", before(STORE + "move", "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("learnt-parked", after(STORE + "move", "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("unparked", after(OWNER + "unpark", "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT));
    }

    private static List<Round> recovery() {
        Act unscheduled = dies(after(STORE + "insert", BatchCommit.class), lane -> {
            lane.clients().push(1, 6, SOON_MS);
        });
        Act lose = lane -> lane.redis().command("FLUSHALL");
        // Redis comes back from a snapshot: it lacks messages, and knows one that was cancelled.
        Act older = lane -> {
            lane.redis().command("SAVE");
            lane.clients().cancel(1);
            lane.clients().push(7, 12, HOUR_MS);
            lane.clients().push(13, 18, LATER_MS);
            lane.redis().restart();
        };
        Act strand = lane -> lane.redis().command("EVAL", LOSE_PLACES, "0");
        Act finished = lane -> {
            lane.clients().pushUnseen(1, 5);
            lane.ageUnseen();
        };
        return List.of(
                Round.of("audit-looked", after(INDEX + "unknown", Auditor.class))
                        .given(unscheduled),
                Round.of("audited", after(INDEX + "schedule", Auditor.class)).given(unscheduled),
                Round.of("lost-claimed", after(INDEX + "claim", BucketScanner.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of(
                                "lost-claimed-all",
                                after(INDEX + "claim", BucketScanner.class).at(4))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-scheduled", after(INDEX + "schedule", BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-whole", before(OWNER + "markRestored", BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-one-whole", after(OWNER + "markRestored", BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("older-scheduled", after(INDEX + "schedule", "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("older-compared", before(OWNER + "markCompared", "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("older-one-marked", after(OWNER + "markCompared", "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("strays-collected", after(OWNER + "collectStrays", StrayCollector.class))
                        .given(SLEEPING)
                        .when(strand),
                Round.of("clean-up", before(STORE + "remove", Housekeeper.class))
                        .given(finished),
                Round.of("cleaned-up", after(STORE + "remove", Housekeeper.class))
                        .given(finished));
    }

    private static List<Round> horizon() {
        Act far = lane -> lane.clients().push(1, 6, 5_600);
        return Stream.of(
                        Round.of("load", before(STORE + "move", Loader.class)).when(far),
                        Round.of("claimed-to-load", after(STORE + "move", Loader.class))
                                .when(far),
                        Round.of("loaded", after(INDEX + "schedule", Loader.class))
                                .when(far),
                        Round.of("far-cancelled", after(STORE + "move", MessageCanceller.class))
                                .given(far)
                                .when(lane -> lane.clients().cancel(1)))
                .map(round -> round.with(Trait.WITH_HORIZON))
                .toList();
    }

    /** An earlier death; the wires are whole after it, and nobody lives. */
    private static Act dies(Point point, Act driving) {
        return lane -> {
            lane.server().arm(point);
            driving.on(lane);
            if (!lane.server().diesThere()) {
                throw new IllegalStateException("the server did not die at " + point);
            }
            lane.healWires();
        };
    }
}
