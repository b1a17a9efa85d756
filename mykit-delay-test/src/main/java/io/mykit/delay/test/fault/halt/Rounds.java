package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All steps at which a server is halted. What lies between one step's return and the next step's call is the same death, so
 * one of the two is enough.
 */
final class Rounds {
    private static final String STORE = "MyBatisMessageStore#";
    private static final String INDEX = "RedisBucketIndex#";

    private static final long HOUR_MS = 3_600_000;
    /** So that the answer to the push is there before. */
    private static final long SOON_MS = 300;
    /** So that it is not due before the server is dead. */
    private static final long LATER_MS = 2_000;

    /** More than a batch, due at once; one for the far future; one that is cancelled. */
    private static final Act PUSH = lane -> {
        lane.push(1, 1, HOUR_MS);
        lane.push(2, 2, SOON_MS);
        lane.cancel(2);
        lane.push(3, 30, SOON_MS);
    };

    private static final Act WAITING = lane -> lane.push(1, 6, LATER_MS);
    private static final Act SLEEPING = lane -> lane.push(1, 6, HOUR_MS);

    private Rounds() {}

    static List<Round> all() {
        return Stream.of(intake(), delivery(), leases(), calls(), operator(), recovery(), horizon())
                .flatMap(List::stream)
                .toList();
    }

    static Set<Point> points() {
        return all().stream().map(Round::point).collect(Collectors.toSet());
    }

    private static List<Round> intake() {
        Act push = lane -> lane.push(1, 6, SOON_MS);
        Act withoutRedis = lane -> {
            lane.become(Part.REDIS, Weather.CUT);
            lane.push(1, 6, SOON_MS);
        };
        return List.of(
                Round.of("insert", before(STORE + "insert", "BatchCommit"))
                        .when(push)
                        .then(Lane::repushAll),
                Round.of("inserted", after(STORE + "insert", "BatchCommit")).when(push),
                Round.of("inserted-again", after(STORE + "insert", "BatchCommit"))
                        .when(push)
                        .then(Lane::repushAll),
                Round.of("scheduled", after(INDEX + "schedule", "BatchCommit"))
                        .when(push)
                        .then(Lane::repushAll),
                Round.of("note-for-loader", before(STORE + "move", "Scheduling"))
                        .when(withoutRedis)
                        .then(Lane::repushAll),
                Round.of("noted-for-loader", after(STORE + "move", "Scheduling"))
                        .when(withoutRedis)
                        .then(Lane::repushAll));
    }

    private static List<Round> delivery() {
        Act withoutBroker = lane -> {
            lane.become(Part.BROKER, Weather.CUT);
            lane.push(1, 6, SOON_MS);
        };
        Act withoutMySql = lane -> {
            lane.push(1, 6, 2 * SOON_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        };
        return List.of(
                Round.of("scanned-and-taken", before("Dispatcher#accept", "BucketScanner"))
                        .when(PUSH),
                Round.of("scanned", before("Dispatcher#offer", "BucketScanner"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("taken", after(INDEX + "take", "Dispatcher"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("admitted", after(STORE + "states", "Gate")).when(PUSH),
                Round.of("sending", after("BrokerLink#send", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("commit", before("BrokerLink#commit", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed", after("BrokerLink#commit", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed-twice", after("BrokerLink#commit", "").at(2))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("record", before(STORE + "move", "OutcomeRecord"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("recorded", after(STORE + "move", "OutcomeRecord"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("settled", after(INDEX + "settle", "OutcomeRecord"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("give-back", before(INDEX + "release", "BatchDelivery"))
                        .when(withoutBroker),
                Round.of("given-back", after(INDEX + "release", "BatchDelivery"))
                        .when(withoutBroker),
                Round.of("park", before(INDEX + "park", "OutcomeRecord"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT),
                Round.of("parked", after(INDEX + "park", "OutcomeRecord"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT));
    }

    /** Deaths of those who make another's death good. */
    private static List<Round> leases() {
        Act underLease = dies(after(STORE + "states", "Gate"), PUSH);
        Act parked = dies(after(INDEX + "park", "OutcomeRecord"), lane -> {
            lane.push(1, 6, 2 * SOON_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        });
        return List.of(
                Round.of("epoch", after(STORE + "nextEpoch", "")).given(WAITING),
                Round.of("claimed", after(INDEX + "claim", "BucketScanner").at(2))
                        .given(underLease),
                Round.of("found-leased", after(INDEX + "leased", "BucketScanner"))
                        .given(underLease),
                Round.of("released", after(INDEX + "release", "BucketScanner")).given(underLease),
                Round.of("learn-parked", before(STORE + "move", "OutcomeRecorder"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("learnt-parked", after(STORE + "move", "OutcomeRecorder"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT),
                Round.of("unparked", after(INDEX + "unpark", "OutcomeRecorder"))
                        .given(parked)
                        .with(Trait.MAY_REPEAT));
    }

    private static List<Round> calls() {
        Act cancel = lane -> lane.cancel(1);
        Act replace = Lane::replaceFirst;
        return List.of(
                Round.of("cancel-removed", after(INDEX + "remove", "MessageCanceller"))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancel-looked", after(STORE + "states", "MessageCanceller"))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancelled", after(STORE + "move", "MessageCanceller"))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancelled-again", after(STORE + "move", "MessageCanceller"))
                        .given(WAITING)
                        .when(cancel)
                        .then(cancel),
                Round.of("replace-removed", after(INDEX + "remove", "Replacement"))
                        .given(WAITING)
                        .when(replace),
                Round.of("replaced", after(STORE + "rewrite", "Replacement"))
                        .given(WAITING)
                        .when(replace),
                Round.of("replaced-scheduled", after(INDEX + "schedule", "Replacement"))
                        .given(WAITING)
                        .when(replace));
    }

    private static List<Round> operator() {
        Act cancelled = lane -> {
            lane.push(1, 3, LATER_MS);
            lane.cancelForNow(1);
        };
        Act restoreOne = lane -> get(lane, "/reStoreJob?jobId=" + lane.id(1));
        Act forgotten = lane -> {
            lane.push(1, 6, HOUR_MS);
            lane.index().purge(List.of(lane.id(1), lane.id(2), lane.id(3)));
        };
        Act restoreAll = lane -> get(lane, "/reStore?expire=true");
        Act clear = lane -> {
            lane.disclaim();
            get(lane, "/clearAll");
        };
        return List.of(
                Round.of("restore-one", before(STORE + "rewrite", "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("restored-one", after(STORE + "rewrite", "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("scheduled-one", after(INDEX + "schedule", "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("restored-all", after(STORE + "move", "RestorePage"))
                        .given(forgotten)
                        .when(restoreAll),
                Round.of("scheduled-all", after(INDEX + "schedule", "RestorePage"))
                        .given(forgotten)
                        .when(restoreAll),
                Round.of("clear-purged", after(INDEX + "purge", "Clearer"))
                        .given(SLEEPING)
                        .when(clear),
                Round.of("cleared", after(STORE + "move", "Clearer"))
                        .given(SLEEPING)
                        .when(clear));
    }

    private static List<Round> recovery() {
        Act unscheduled = dies(after(STORE + "insert", "BatchCommit"), lane -> {
            lane.push(1, 6, SOON_MS);
        });
        Act lose = lane -> lane.redis().command("FLUSHALL");
        Act finished = lane -> {
            lane.pushUnseen(1, 5);
            lane.ageUnseen();
        };
        return List.of(
                Round.of("audit-looked", after(INDEX + "locate", "Auditor")).given(unscheduled),
                Round.of("audited", after(INDEX + "schedule", "Auditor")).given(unscheduled),
                Round.of("lost-claimed", after(INDEX + "claim", "BucketScanner"))
                        .given(SLEEPING)
                        .when(lose),
                Round.of(
                                "lost-claimed-all",
                                after(INDEX + "claim", "BucketScanner").at(4))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-scheduled", after(INDEX + "schedule", "BucketRestore"))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-whole", before(INDEX + "markRestored", "BucketRestore"))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("lost-one-whole", after(INDEX + "markRestored", "BucketRestore"))
                        .given(SLEEPING)
                        .when(lose),
                Round.of("clean-up", before(STORE + "remove", "Housekeeper")).given(finished),
                Round.of("cleaned-up", after(STORE + "remove", "Housekeeper")).given(finished));
    }

    private static List<Round> horizon() {
        Act far = lane -> lane.push(1, 6, 5_600);
        return Stream.of(
                        Round.of("load", before(STORE + "move", "Loader")).when(far),
                        Round.of("claimed-to-load", after(STORE + "move", "Loader"))
                                .when(far),
                        Round.of("loaded", after(INDEX + "schedule", "Loader")).when(far),
                        Round.of("far-cancelled", after(STORE + "move", "MessageCanceller"))
                                .given(far)
                                .when(lane -> lane.cancel(1)))
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

    private static void get(Lane lane, String path) {
        Answer answer = lane.ask(client -> client.get(path));
        if (answer != null) {
            lane.ledger().surprised(path + " was answered, and should have been cut off: " + answer.text());
        }
    }
}
