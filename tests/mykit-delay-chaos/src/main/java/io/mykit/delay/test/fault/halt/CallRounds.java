package io.mykit.delay.test.fault.halt;

import static io.mykit.delay.test.fault.agent.Point.after;
import static io.mykit.delay.test.fault.agent.Point.before;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_PURGE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_REMOVE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_SCHEDULE;
import static io.mykit.delay.test.fault.halt.Methods.INDEX_VETO;
import static io.mykit.delay.test.fault.halt.Methods.STORE_MOVE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_REWRITE;
import static io.mykit.delay.test.fault.halt.Methods.STORE_STATES;
import static io.mykit.delay.test.fault.halt.Steps.HOUR_MS;
import static io.mykit.delay.test.fault.halt.Steps.LATER_MS;
import static io.mykit.delay.test.fault.halt.Steps.SLEEPING;
import static io.mykit.delay.test.fault.halt.Steps.WAITING;

import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.intake.Replacement;
import io.mykit.delay.test.bucket.Refs;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.halt.Round.Act;
import java.util.List;
import java.util.stream.Stream;

/** Halts in cancel, replace and the calls of operators. */
final class CallRounds {
    private CallRounds() {}

    static List<Round> all() {
        return Stream.of(calls(), operator()).flatMap(List::stream).toList();
    }

    private static List<Round> calls() {
        Act cancel = lane -> lane.clients().cancel(1);
        Act replace = lane -> lane.clients().replaceFirst();
        // As while its push is between the store and the index.
        Act unscheduled = lane -> {
            lane.clients().push(1, 6, LATER_MS);
            lane.index().purge(Refs.first(lane.clients().id(1)));
        };
        return List.of(
                Round.of("cancel-removed", after(INDEX_REMOVE, MessageCanceller.class))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancel-looked", after(STORE_STATES, MessageCanceller.class))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancelled", after(STORE_MOVE, MessageCanceller.class))
                        .given(WAITING)
                        .when(cancel),
                Round.of("cancelled-again", after(STORE_MOVE, MessageCanceller.class))
                        .given(WAITING)
                        .when(cancel)
                        .then(cancel),
                Round.of("cancel-vetoed", after(INDEX_VETO, MessageCanceller.class))
                        .given(unscheduled)
                        .when(cancel),
                Round.of("replace-vetoed", after(INDEX_VETO, Replacement.class))
                        .given(unscheduled)
                        .when(replace),
                Round.of("replace-removed", after(INDEX_REMOVE, Replacement.class))
                        .given(WAITING)
                        .when(replace),
                Round.of("replaced", after(STORE_REWRITE, Replacement.class))
                        .given(WAITING)
                        .when(replace),
                Round.of("replaced-scheduled", after(INDEX_SCHEDULE, Replacement.class))
                        .given(WAITING)
                        .when(replace));
    }

    private static List<Round> operator() {
        Act cancelled = lane -> {
            lane.clients().push(1, 3, LATER_MS);
            lane.clients().cancelForNow(1);
        };
        Act restoreOne = lane -> get(lane, "/reStoreJob?jobId=" + lane.clients().id(1));
        Act forgotten = lane -> {
            lane.clients().push(1, 6, HOUR_MS);
            lane.index()
                    .purge(Refs.first(
                            lane.clients().id(1),
                            lane.clients().id(2),
                            lane.clients().id(3)));
        };
        Act restoreAll = lane -> get(lane, "/reStore?expire=true");
        Act clear = lane -> {
            lane.clients().disclaim();
            get(lane, "/clearAll");
        };
        return List.of(
                Round.of("restore-one", before(STORE_REWRITE, "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("restored-one", after(STORE_REWRITE, "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("scheduled-one", after(INDEX_SCHEDULE, "SingleRestore"))
                        .given(cancelled)
                        .when(restoreOne),
                Round.of("restored-all", after(STORE_MOVE, "RestorePage"))
                        .given(forgotten)
                        .when(restoreAll),
                Round.of("scheduled-all", after(INDEX_SCHEDULE, "RestorePage"))
                        .given(forgotten)
                        .when(restoreAll),
                Round.of("clear-purged", after(INDEX_PURGE, "ClearPage"))
                        .given(SLEEPING)
                        .when(clear),
                Round.of("cleared", after(STORE_MOVE, "ClearPage"))
                        .given(SLEEPING)
                        .when(clear));
    }

    private static void get(Lane lane, String path) {
        Answer answer = lane.clients().ask(client -> client.get(path));
        if (answer != null) {
            lane.clients().ledger().surprised(path + " was answered, and should have been cut off: " + answer.text());
        }
    }
}
