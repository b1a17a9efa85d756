package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Steps.INDEX;
import static io.mykit.delay.test.fault.halt.Steps.OWNER;
import static io.mykit.delay.test.fault.halt.Steps.PUSH;
import static io.mykit.delay.test.fault.halt.Steps.SOON_MS;
import static io.mykit.delay.test.fault.halt.Steps.STORE;

import io.mykit.delay.queue.dispatch.Dispatcher;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.scan.BucketScanner;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.util.List;
import java.util.stream.Stream;

/** From a push to the end of its delivery. */
final class DeliveryRounds {
    private DeliveryRounds() {}

    static List<Round> all() {
        return Stream.of(intake(), delivery()).flatMap(List::stream).toList();
    }

    private static List<Round> intake() {
        Act push = lane -> lane.clients().push(1, 6, SOON_MS);
        Act withoutRedis = lane -> {
            lane.become(Part.REDIS, Weather.CUT);
            lane.clients().push(1, 6, SOON_MS);
        };
        return List.of(
                Round.of("insert", before(STORE + "insert", BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("inserted", after(STORE + "insert", BatchCommit.class)).when(push),
                Round.of("inserted-again", after(STORE + "insert", BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("scheduled", after(INDEX + "schedule", BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("note-for-loader", before(STORE + "move", Scheduling.class))
                        .when(withoutRedis)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("noted-for-loader", after(STORE + "move", Scheduling.class))
                        .when(withoutRedis)
                        .then(lane -> lane.clients().repushAll()));
    }

    private static List<Round> delivery() {
        Act withoutBroker = lane -> {
            lane.become(Part.BROKER, Weather.CUT);
            lane.clients().push(1, 6, SOON_MS);
        };
        Act withoutMySql = lane -> {
            lane.clients().push(1, 6, 2 * SOON_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        };
        return List.of(
                Round.of("scanned-and-taken", before("Dispatcher#accept", BucketScanner.class))
                        .when(PUSH),
                Round.of("scanned", before("Dispatcher#offer", BucketScanner.class))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("taken", after(INDEX + "take", Dispatcher.class))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("admitted", after(STORE + "states", "Gate")).when(PUSH),
                Round.of("sending", after("BrokerLink#send", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("commit", before("BrokerLink#commit", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed", after("BrokerLink#commit", "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed-twice", after("BrokerLink#commit", "").at(2))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("record", before(STORE + "move", "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("recorded", after(STORE + "move", "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("settled", after(OWNER + "settle", "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("give-back", before(OWNER + "release", "BatchDelivery"))
                        .when(withoutBroker),
                Round.of("given-back", after(OWNER + "release", "BatchDelivery"))
                        .when(withoutBroker),
                Round.of("park", before(OWNER + "park", "OutcomeCommit"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT),
                Round.of("parked", after(OWNER + "park", "OutcomeCommit"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT));
    }
}
