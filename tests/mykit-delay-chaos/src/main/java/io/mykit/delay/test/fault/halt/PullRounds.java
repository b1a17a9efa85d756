package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Methods.HOLDS_FORGET;
import static io.mykit.delay.test.fault.halt.Methods.HOLDS_HAND_OUT;
import static io.mykit.delay.test.fault.halt.Methods.HOLDS_PARK;
import static io.mykit.delay.test.fault.halt.Methods.HOLDS_POSTPONE;
import static io.mykit.delay.test.fault.halt.Methods.HOLDS_RELEASE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_MOVE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_STATES;
import static io.mykit.delay.test.fault.halt.Steps.SOON_MS;

import io.mykit.delay.test.fault.halt.Round.Act;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import java.util.List;

/** Halts between the hand-out of messages to a consumer and the end of their holds. */
final class PullRounds {
    private static final Act WORK = lane -> lane.consumer().workAll();

    private PullRounds() {}

    static List<Round> all() {
        Act pull = lane -> {
            lane.consumer().push(3, SOON_MS);
            lane.consumer().pull();
        };
        return List.of(
                Round.of("handed-out", after(HOLDS_HAND_OUT, "ReadyLists"))
                        .when(pull)
                        .then(WORK),
                Round.of("handed-out-and-looked", after(STORE_STATES, "LastLook"))
                        .when(pull)
                        .then(WORK),
                Round.of("acked", after(STORE_MOVE, "RowSettler"))
                        .when(settle("/ack"))
                        .then(WORK),
                Round.of("acked-and-forgotten", after(HOLDS_FORGET, "IndexSteps"))
                        .when(settle("/ack"))
                        .then(lane -> {
                            lane.consumer().settleAgain("/ack");
                            lane.consumer().workAll();
                        }),
                Round.of("ack-parked", after(HOLDS_PARK, "IndexSteps"))
                        .when(lane -> {
                            pull.on(lane);
                            lane.become(Part.MYSQL, Weather.CUT);
                            lane.consumer().settle("/ack");
                        })
                        .then(WORK),
                Round.of("nacked", after(STORE_MOVE, "RowSettler"))
                        .when(settle("/nack"))
                        .then(WORK),
                Round.of("nacked-and-postponed", after(HOLDS_POSTPONE, "IndexSteps"))
                        .when(settle("/nack"))
                        .then(WORK),
                Round.of("pull-released", after(HOLDS_RELEASE, "HoldLane"))
                        .when(settle("/release"))
                        .then(WORK),
                Round.of("hold-ended", before(STORE_MOVE, "OutcomeCommit"))
                        .when(pull)
                        .then(WORK));
    }

    private static Act settle(String path) {
        return lane -> {
            lane.consumer().push(3, SOON_MS);
            lane.consumer().pull();
            lane.consumer().settle(path);
        };
    }
}
