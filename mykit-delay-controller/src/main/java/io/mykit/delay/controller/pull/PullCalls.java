package io.mykit.delay.controller.pull;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.operator.Operators;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/** Consumers' calls that pull and settle messages, and operators' calls that show topics. */
public final class PullCalls {

    private final Consumers consumers;
    private final OpenPulls pulls;
    private final TopicHandler topics;
    private final CallLimits limits;

    public PullCalls(
            Consumers consumers,
            Operators operators,
            QueueView view,
            Bodies bodies,
            Workers workers,
            CallLimits limits) {
        this(
                consumers,
                new OpenPulls(consumers),
                new TopicHandler(view, consumers, operators, bodies, workers),
                limits);
    }

    private PullCalls(Consumers consumers, OpenPulls pulls, TopicHandler topics, CallLimits limits) {
        this.consumers = consumers;
        this.pulls = pulls;
        this.topics = topics;
        this.limits = limits;
    }

    /** The same over other faces. It is stopped with this one. */
    public PullCalls over(
            Consumers otherConsumers, Operators operators, QueueView view, Bodies bodies, Workers workers) {
        return new PullCalls(
                otherConsumers,
                pulls.over(otherConsumers),
                new TopicHandler(view, otherConsumers, operators, bodies, workers),
                limits);
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        PullHandler pull = new PullHandler(pulls, consumers.limits().maxWait(), limits);
        CallHandler finish = new SettleHandler(consumers, Verb.ACK)::finish;
        return List.of(
                consumers("pull", Route.POST, "/pull", PullHandler.PULL, maxBody, pull::pull),
                consumers("get", Route.COMMAND, "/get/{topic...}", PullHandler.GET, maxBody, pull::get),
                settle(Verb.ACK, "ack", "/ack", maxBody),
                settle(Verb.NACK, "nack", "/nack", maxBody),
                settle(Verb.RELEASE, "release", "/release", maxBody),
                settle(Verb.EXTEND, "extend", "/extend", maxBody),
                settle(Verb.BURY, "bury", "/bury", maxBody),
                consumers("finish", Route.COMMAND, "/finish", SettleHandler.FINISH, maxBody, finish),
                read("peek", Access.OPERATORS, "/peek", TopicHandler.PEEK, maxBody, topics::peek),
                read("topics", Access.VIEWERS, "/topics", TopicHandler.TOPICS, maxBody, topics::topics));
    }

    /** Ends all waits, because this node stops. */
    public void stop() {
        pulls.stop();
    }

    private Route settle(Verb verb, String name, String path, int maxBody) {
        return consumers(name, Route.POST, path, SettleFields.names(verb), maxBody, new SettleHandler(consumers, verb));
    }

    private static Route consumers(
            String name,
            List<HttpMethod> methods,
            String path,
            ParameterNames known,
            int maxBody,
            CallHandler handler) {
        return new Route(name, Access.CONSUMERS, methods, path, known, maxBody, handler);
    }

    private static Route read(
            String name, Access access, String path, ParameterNames known, int maxBody, CallHandler handler) {
        return new Route(name, access, Route.READ, path, known, maxBody, handler);
    }
}
