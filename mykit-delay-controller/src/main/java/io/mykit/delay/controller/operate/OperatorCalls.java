package io.mykit.delay.controller.operate;

import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.route.Access;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.recovery.ClearOrder;
import io.mykit.delay.queue.recovery.ClearReport;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Operators' calls: restore messages, and cancel all messages. A restore or clear of many messages runs alone. */
public final class OperatorCalls {
    private static final ParameterNames RESTORE = ParameterNames.of("expire", "topic", "dryRun", "stop", "resume");
    /** There is no resume, because a second clear does not see the messages that are already cancelled. */
    private static final ParameterNames CLEAR = ParameterNames.of("topic", "dryRun", "stop");

    private final Restoring restorer;
    private final Function<ClearOrder, ClearReport> clearer;
    private final Workers workers;
    private final OperatorLane lane;

    public OperatorCalls(
            Restoring restorer, Function<ClearOrder, ClearReport> clearer, RecoveryBoard recovery, Workers workers) {
        this.restorer = restorer;
        this.clearer = clearer;
        this.workers = workers;
        this.lane = new OperatorLane(recovery);
    }

    /**
     * @param maxBody the maximum of bytes in a form
     */
    public List<Route> routes(int maxBody) {
        RestoreHandler restore = new RestoreHandler(restorer, workers, lane);
        ClearHandler clear = new ClearHandler(clearer, lane);
        return List.of(
                command("restoreJob", "/reStoreJob", ParameterNames.ID, maxBody, restore::one),
                command("restoreJob", "/reStore/{id...}", ParameterNames.ID, maxBody, restore::one),
                command("restoreJob", "/restore/{id...}", ParameterNames.ID, maxBody, restore::one),
                command("restore", "/reStore", RESTORE, maxBody, restore::all),
                command("restore", "/restore", RESTORE, maxBody, restore::all),
                command("clearAll", "/clearAll", CLEAR, maxBody, clear));
    }

    private static Route command(
            String name, String pattern, ParameterNames parameters, int maxBody, CallHandler handler) {
        return new Route(name, Access.OPERATORS, Route.COMMAND, pattern, parameters, maxBody, handler);
    }

    /** Stops a running restore or clear and waits for the grace at most. */
    public void close(Duration grace) {
        lane.close(grace);
    }
}
