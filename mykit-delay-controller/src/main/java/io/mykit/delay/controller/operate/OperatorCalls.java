package io.mykit.delay.controller.operate;

import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.route.Access;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.recovery.ClearOrder;
import io.mykit.delay.queue.recovery.ClearReport;
import io.mykit.delay.queue.recovery.DeadLettering;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.Restoring;
import io.mykit.delay.queue.topic.TopicPausing;
import io.mykit.delay.queue.topic.TopicRetrying;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Operators' calls: restore messages, cancel all messages, list, respawn and discard dead letters, pause topics, and
 * try them now. A call on
 * many messages runs alone.
 */
public final class OperatorCalls {
    private final Restoring restorer;
    private final Function<ClearOrder, ClearReport> clearer;
    private final DeadLettering dead;
    private final TopicPausing pausing;
    private final TopicRetrying retrying;
    private final TopicLookup topics;
    private final Workers workers;
    private final OperatorLane lane;

    /** @param workId the id of work of this node by its number on the board */
    public OperatorCalls(
            Restoring restorer,
            Function<ClearOrder, ClearReport> clearer,
            DeadLettering dead,
            TopicPausing pausing,
            TopicRetrying retrying,
            TopicLookup topics,
            RecoveryBoard recovery,
            LongFunction<String> workId,
            Workers workers) {
        this.restorer = restorer;
        this.clearer = clearer;
        this.dead = dead;
        this.pausing = pausing;
        this.retrying = retrying;
        this.topics = topics;
        this.workers = workers;
        this.lane = new OperatorLane(recovery, workId);
    }

    /**
     * @param maxBody the maximum of bytes in a form
     */
    public List<Route> routes(int maxBody) {
        RestoreHandler restore = new RestoreHandler(restorer, workers, lane);
        ClearHandler clear = new ClearHandler(clearer, lane);
        PauseHandler pause = new PauseHandler(pausing, topics, workers);
        RetryHandler retry = new RetryHandler(retrying, workers);
        DeadHandler letters = new DeadHandler(dead, workers, lane);
        return List.of(
                new Route("dead", Access.VIEWERS, Route.READ, "/dead", DeadHandler.LIST, maxBody, letters::list),
                post("respawn", "/dead/respawn", DeadHandler.RESPAWN, maxBody, letters::respawn),
                post("discard", "/dead/discard", DeadHandler.DISCARD, maxBody, letters::discard),
                command("restoreJob", "/reStoreJob", ParameterNames.ID, maxBody, restore::one),
                command("restoreJob", "/reStore/{id...}", ParameterNames.ID, maxBody, restore::one),
                command("restoreJob", "/restore/{id...}", ParameterNames.ID, maxBody, restore::one),
                command("restore", "/reStore", RestoreHandler.ALL, maxBody, restore::all),
                command("restore", "/restore", RestoreHandler.ALL, maxBody, restore::all),
                command("clearAll", "/clearAll", ClearHandler.ALL, maxBody, clear::all),
                post("clearTopic", "/topics/clear", ClearHandler.TOPIC, maxBody, clear::topic),
                post("pause", "/topics/pause", PauseHandler.PAUSE, maxBody, pause::pause),
                post("resume", "/topics/resume", PauseHandler.RESUME, maxBody, pause::resume),
                post("retryTopic", "/topics/retry", RetryHandler.RETRY, maxBody, retry));
    }

    private static Route post(
            String name, String pattern, ParameterNames parameters, int maxBody, CallHandler handler) {
        return new Route(name, Access.OPERATORS, Route.POST, pattern, parameters, maxBody, handler);
    }

    private static Route command(
            String name, String pattern, ParameterNames parameters, int maxBody, CallHandler handler) {
        return new Route(name, Access.OPERATORS, Route.COMMAND, pattern, parameters, maxBody, handler);
    }

    /** Stops a running call on many messages and waits for the grace at most. */
    public void close(Duration grace) {
        lane.close(grace);
    }
}
