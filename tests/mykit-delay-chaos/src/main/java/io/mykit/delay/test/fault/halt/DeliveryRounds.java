package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Methods.BROKER_COMMIT;
import static io.mykit.delay.test.fault.halt.Methods.BROKER_SEND;
import static io.mykit.delay.test.fault.halt.Methods.DISPATCHER_ACCEPT;
import static io.mykit.delay.test.fault.halt.Methods.DISPATCHER_OFFER;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_SCHEDULE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_SETTLE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_TAKE;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_PARK;
import static io.mykit.delay.test.fault.halt.Methods.OWNER_RELEASE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_INSERT;
import static io.mykit.delay.test.fault.halt.Methods.STORE_MOVE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_STATES;
import static io.mykit.delay.test.fault.halt.Steps.LATER_MS;
import static io.mykit.delay.test.fault.halt.Steps.PUSH;
import static io.mykit.delay.test.fault.halt.Steps.SOON_MS;

import io.mykit.delay.queue.dispatch.Dispatcher;
import io.mykit.delay.queue.intake.BatchCommit;
import io.mykit.delay.queue.scan.ScanLoop;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.util.List;
import java.util.stream.Stream;

/** Halts between a push and the end of its delivery. */
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
                Round.of("insert", before(STORE_INSERT, BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("inserted", after(STORE_INSERT, BatchCommit.class)).when(push),
                Round.of("inserted-again", after(STORE_INSERT, BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("scheduled", after(INDEX_SCHEDULE, BatchCommit.class))
                        .when(push)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("note-for-loader", before(STORE_MOVE, Scheduling.class))
                        .when(withoutRedis)
                        .then(lane -> lane.clients().repushAll()),
                Round.of("noted-for-loader", after(STORE_MOVE, Scheduling.class))
                        .when(withoutRedis)
                        .then(lane -> lane.clients().repushAll()));
    }

    private static List<Round> delivery() {
        Act withoutBroker = lane -> {
            lane.become(Part.BROKER, Weather.CUT);
            lane.clients().push(1, 6, SOON_MS);
        };
        Act withoutMySql = lane -> {
            lane.clients().push(1, 6, LATER_MS);
            lane.become(Part.MYSQL, Weather.CUT);
        };
        return List.of(
                Round.of("scanned-and-taken", before(DISPATCHER_ACCEPT, ScanLoop.class))
                        .when(PUSH),
                Round.of("scanned", before(DISPATCHER_OFFER, ScanLoop.class))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("taken", after(INDEX_TAKE, Dispatcher.class))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("admitted", after(STORE_STATES, "Gate")).when(PUSH),
                Round.of("sending", after(BROKER_SEND, "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("commit", before(BROKER_COMMIT, "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed", after(BROKER_COMMIT, "")).when(PUSH).with(Trait.MAY_REPEAT),
                Round.of("committed-twice", after(BROKER_COMMIT, "").at(2))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("record", before(STORE_MOVE, "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("recorded", after(STORE_MOVE, "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("settled", after(INDEX_SETTLE, "OutcomeCommit"))
                        .when(PUSH)
                        .with(Trait.MAY_REPEAT),
                Round.of("give-back", before(OWNER_RELEASE, "BatchDelivery")).when(withoutBroker),
                Round.of("given-back", after(OWNER_RELEASE, "BatchDelivery")).when(withoutBroker),
                Round.of("park", before(OWNER_PARK, "OutcomeCommit"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT),
                Round.of("parked", after(OWNER_PARK, "OutcomeCommit"))
                        .when(withoutMySql)
                        .with(Trait.MAY_REPEAT));
    }
}
