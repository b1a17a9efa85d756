package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.Admitted;
import io.mykit.delay.lmstfy.token.Gate;
import io.mykit.delay.ports.call.Calls;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** The calls of the public port. Each checks names, then pool and token, then its parameters. Thread-safe; does not block. */
public final class QueueCalls implements Calls {
    private static final int MAX_BULK = 16 << 20;

    private final Gate gate;
    private final boolean publicSize;
    private final Traffic traffic;
    private final Queues queues;
    private final Rates rates;
    private final PublishCalls publishes;
    private final ConsumeCalls consumes;
    private final AckCalls acks;
    private final LookCalls looks;
    private final DeadCalls dead;

    /**
     * @param prefix of the topics of all queues
     * @param publicSize whether the sizes of queues need no token
     * @param maxWait the longest wait of a consumer
     */
    public QueueCalls(
            Engine engine,
            Gate gate,
            String prefix,
            Defaults defaults,
            boolean publicSize,
            Duration maxWait,
            Traffic traffic) {
        this.gate = gate;
        this.publicSize = publicSize;
        this.traffic = traffic;
        this.queues = new Queues(prefix, engine.namespaces());
        this.rates = new Rates(engine.limits(), engine.workers());
        KnownJobs known = new KnownJobs();
        this.publishes = new PublishCalls(engine, defaults, rates);
        this.consumes = new ConsumeCalls(engine, defaults, maxWait, queues, known, rates);
        this.acks = new AckCalls(engine, known);
        this.looks = new LookCalls(engine);
        this.dead = new DeadCalls(engine);
    }

    @Override
    public String route(String method, List<String> path) {
        return QueueRoute.find(method, path).map(QueueRoute::word).orElse("none");
    }

    @Override
    public boolean isGuarded(String method, List<String> path) {
        return gate.isClosed()
                && !(publicSize
                        && QueueRoute.find(method, path)
                                .filter(QueueRoute::isSize)
                                .isPresent());
    }

    @Override
    public int maxBody(String method, List<String> path) {
        boolean bulk =
                QueueRoute.find(method, path).filter(QueueRoute.BULK::equals).isPresent();
        return bulk ? MAX_BULK : PublishCalls.MAX_JOB;
    }

    @Override
    public Reply failed(Throwable failure) {
        return Refusal.of(failure);
    }

    @Override
    public Reply error(int status, String text) {
        return Refusal.error(status, text);
    }

    @Override
    public CompletableFuture<Reply> answer(Request request) {
        Optional<QueueRoute> found = QueueRoute.find(request.method(), request.path());
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Refusal.NO_ROUTE);
        }
        traffic.note();
        QueueRoute route = found.get();
        String namespace = request.path().get(1);
        String name = request.path().get(2);
        if (route == QueueRoute.CONSUME) {
            queues.check(namespace, name);
            Entry entry = call -> gate.admit(request, namespace, route.role())
                    .thenCompose(
                            in -> rates.within(in.caller(), Kind.PULL, 0, over(in, "consume"), () -> call.apply(in)));
            return entry.enter(in -> consumes.consume(request, in, entry, namespace, name));
        }
        Queue queue = queues.of(namespace, name);
        return publicSize && route.isSize()
                ? answer(route, request, new Admitted(Principal.ANONYMOUS, ""), queue)
                : gate.admit(request, namespace, route.role()).thenCompose(in -> answer(route, request, in, queue));
    }

    private CompletableFuture<Reply> answer(QueueRoute route, Request request, Admitted in, Queue queue) {
        return switch (route) {
            case PUBLISH ->
                rates.within(
                        in.caller(), Kind.PUSH, 1, over(in, "produce"), () -> publishes.publish(request, in, queue));
            case BULK ->
                rates.within(in.caller(), Kind.PUSH, 1, over(in, "produce"), () -> publishes.bulk(request, in, queue));
            case REPUBLISH -> publishes.republish(request, in, queue, acks);
            case PEEK -> looks.peek(queue);
            case JOB -> looks.job(queue, request.path().get(4));
            case ACK -> acks.ack(queue, request.path().get(4));
            case SIZE -> looks.size(queue);
            case DESTROY -> looks.destroy(queue);
            case DEAD -> dead.peek(queue);
            case DEAD_SIZE -> dead.size(queue);
            case RESPAWN -> dead.respawn(request, queue);
            case DISCARD -> dead.discard(request, queue);
            case CONSUME -> throw new IllegalStateException("a consume has several queues");
        };
    }

    private static LongFunction<Refused> over(Admitted in, String action) {
        return seconds -> Refusal.limited(in.token(), action, seconds);
    }

    /** Ends the waits, because this node stops. */
    public void stop() {
        consumes.stop();
    }
}
