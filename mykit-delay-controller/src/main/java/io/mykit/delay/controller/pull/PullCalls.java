package io.mykit.delay.controller.pull;

import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.route.Access;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.pull.Pulling;
import io.mykit.delay.queue.pull.Verb;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;

/** Consumers' calls that pull and settle messages, and operators' calls that show topics. */
public final class PullCalls {

    private final Pulling pulling;
    private final OpenPulls pulls;
    private final Duration maxWait;
    private final TopicHandler topics;

    /**
     * @param maxWait the longest wait of a consumer
     */
    public PullCalls(Pulling pulling, Duration maxWait, TopicParts topics, Bodies bodies, Workers workers) {
        this.pulling = pulling;
        this.pulls = new OpenPulls(pulling);
        this.maxWait = maxWait;
        this.topics = new TopicHandler(topics, pulling, bodies, workers);
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        PullHandler pull = new PullHandler(pulls, maxWait);
        CallHandler finish = new SettleHandler(pulling, Verb.ACK)::finish;
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
        return consumers(name, Route.POST, path, SettleFields.names(verb), maxBody, new SettleHandler(pulling, verb));
    }

    private static Route consumers(
            String name,
            List<HttpMethod> methods,
            String path,
            ParameterNames known,
            int maxBody,
            CallHandler handler) {
        return new Route(name, Access.PRODUCERS, methods, path, known, maxBody, handler);
    }

    private static Route read(
            String name, Access access, String path, ParameterNames known, int maxBody, CallHandler handler) {
        return new Route(name, access, Route.READ, path, known, maxBody, handler);
    }
}
