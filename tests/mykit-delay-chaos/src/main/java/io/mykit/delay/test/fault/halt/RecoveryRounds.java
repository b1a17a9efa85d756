package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_CLAIM;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_SCHEDULE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_UNKNOWN;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_COLLECT_STRAYS;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_LEASED;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_MARK_COMPARED;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_MARK_RESTORED;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_PARK;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_RELEASE;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_RETAKE;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_UNPARK;
import static io.mykit.delay.test.fault.halt.Methods.STORE_INSERT;
import static io.mykit.delay.test.fault.halt.Methods.STORE_MOVE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_NEXT_EPOCH;
import static io.mykit.delay.test.fault.halt.Methods.STORE_REMOVE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_STATES;
import static io.mykit.delay.test.fault.halt.Steps.HOUR_MS;
import static io.mykit.delay.test.fault.halt.Steps.LATER_MS;
import static io.mykit.delay.test.fault.halt.Steps.PUSH;
import static io.mykit.delay.test.fault.halt.Steps.SLEEPING;
import static io.mykit.delay.test.fault.halt.Steps.SOON_MS;
import static io.mykit.delay.test.fault.halt.Steps.WAITING;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.housekeeping.Housekeeper;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.recovery.Auditor;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Loader;
import io.mykit.delay.queue.recovery.StrayCollector;
import io.mykit.delay.queue.scan.ScanLoop;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Halts in the loops that repair a death or a lost part, and in housekeeping. */
final class RecoveryRounds {
    /** The messages stay in their pools, and wait nowhere. */
    private static final String LOSE_PLACES =
            "for _, key in ipairs(redis.call('KEYS', '*:waiting:*')) do redis.call('DEL', key) end";

    private RecoveryRounds() {}

    static List<Round> all() {
        return Stream.of(leases(), recovery(), horizon()).flatMap(List::stream).toList();
    }

    /** Deaths of the loops that repair an earlier death. */
    private static List<Round> leases() {
        Act underLease = dies(after(STORE_STATES, "Gate"), PUSH);
        Act parked = dies(after(OWNER_PARK, "OutcomeCommit"), lane -> {
            lane.clients().push(1, 6, LATER_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        });
        return List.of(
                Round.of("epoch", after(STORE_NEXT_EPOCH, "")).given(WAITING),
                // Buckets that have nothing to give back deliver meanwhile.
                Round.of("claimed", after(INDEX_CLAIM, ScanLoop.class).at(2))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("found-leased", after(OWNER_LEASED, ScanLoop.class))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("released", after(OWNER_RELEASE, ScanLoop.class))
                        .given(underLease)
                        .with(Trait.MAY_REPEAT),
                Round.of("learn-parked", before(STORE_MOVE, "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("learnt-parked", after(STORE_MOVE, "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("unparked", after(OWNER_UNPARK, "ParkedOutcomes"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT));
    }

    private static List<Round> recovery() {
        Act unscheduled = dies(after(STORE_INSERT, BatchCommit.class), lane -> {
            lane.clients().push(1, 6, SOON_MS);
        });
        Act lose = lane -> lane.redis().command("FLUSHALL");
        // The broker does not answer, so that a batch is in delivery when its leases are lost.
        Act loseInDelivery = lane -> {
            lane.become(Part.BROKER, Weather.SILENT);
            lane.clients().push(1, 6, SOON_MS);
            await().atMost(Duration.ofSeconds(10)).until(() -> lane.clients().isAnyInDelivery(lane.index(), 6));
            lane.redis().command("FLUSHALL");
        };
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
                Round.of("audit-looked", after(INDEX_UNKNOWN, Auditor.class)).given(unscheduled),
                Round.of("audited", after(INDEX_SCHEDULE, Auditor.class)).given(unscheduled),
                Round.of("lost-claimed", after(INDEX_CLAIM, ScanLoop.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-claimed-all", after(INDEX_CLAIM, ScanLoop.class).at(4))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-retaken", after(OWNER_RETAKE, ScanLoop.class))
                        .when(loseInDelivery)
                        .with(Trait.MAY_REPEAT),
                Round.of("lost-scheduled", after(INDEX_SCHEDULE, BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-whole", before(OWNER_MARK_RESTORED, BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-one-whole", after(OWNER_MARK_RESTORED, BucketRestore.class))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("older-scheduled", after(INDEX_SCHEDULE, "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("older-compared", before(OWNER_MARK_COMPARED, "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("older-one-marked", after(OWNER_MARK_COMPARED, "Comparison"))
                        .given(SLEEPING)
                        .when(older),
                Round.of("strays-collected", after(OWNER_COLLECT_STRAYS, StrayCollector.class))
                        .given(SLEEPING)
                        .when(strand),
                Round.of("clean-up", before(STORE_REMOVE, Housekeeper.class)).given(finished),
                Round.of("cleaned-up", after(STORE_REMOVE, Housekeeper.class)).given(finished));
    }

    private static List<Round> horizon() {
        Act far = lane -> lane.clients().push(1, 6, 5_600);
        return Stream.of(
                        Round.of("load", before(STORE_MOVE, Loader.class)).when(far),
                        Round.of("claimed-to-load", after(STORE_MOVE, Loader.class))
                                .when(far),
                        Round.of("loaded", after(INDEX_SCHEDULE, Loader.class)).when(far),
                        Round.of("far-cancelled", after(STORE_MOVE, MessageCanceller.class))
                                .given(far)
                                .when(lane -> lane.clients().cancel(1)))
                .map(round -> round.with(Trait.WITH_HORIZON))
                .toList();
    }

    /** An earlier death. After it the wires are whole, and no server runs. */
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
