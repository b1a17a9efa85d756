package io.mykit.delay.controller.operate;

import io.mykit.delay.access.Access;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.query.TopicLookup;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Operators' calls: restore messages, cancel all messages, list, respawn and discard dead letters, pause topics, try them now, and change
 * their settings. A call on many messages runs alone.
 */
public final class OperatorCalls {
    private final Operators operators;
    private final TopicLookup topics;
    private final Workers workers;
    private final OperatorLane lane;

    /** @param workId the id of work of this node by its number */
    public OperatorCalls(Operators operators, TopicLookup topics, LongFunction<String> workId, Workers workers) {
        this.operators = operators;
        this.topics = topics;
        this.workers = workers;
        this.lane = new OperatorLane(operators, workId);
    }

    private OperatorCalls(Operators operators, TopicLookup topics, Workers workers, OperatorLane lane) {
        this.operators = operators;
        this.topics = topics;
        this.workers = workers;
        this.lane = lane;
    }

    /** The same over other faces, with the same lane. It is closed with this one. */
    public OperatorCalls over(Operators otherOperators, TopicLookup otherTopics) {
        return new OperatorCalls(otherOperators, otherTopics, workers, lane.over(otherOperators));
    }

    /**
     * @param maxBody the maximum of bytes in a form
     */
    public List<Route> routes(int maxBody) {
        RestoreHandler restore = new RestoreHandler(operators, workers, lane);
        ClearHandler clear = new ClearHandler(operators, lane);
        PauseHandler pause = new PauseHandler(operators, topics, workers);
        RetryHandler retry = new RetryHandler(operators, workers);
        DeadHandler letters = new DeadHandler(operators, workers, lane);
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
                post(
                        "setPolicy",
                        "/topics/policy",
                        ParameterNames.NONE,
                        maxBody,
                        new PolicyHandler(operators, workers)::change),
                new Route(
                        "changeTopic",
                        Access.ADMINS,
                        Route.POST,
                        "/topics/change",
                        ParameterNames.NONE,
                        maxBody,
                        new TopicChangeHandler(operators, workers)::change),
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
