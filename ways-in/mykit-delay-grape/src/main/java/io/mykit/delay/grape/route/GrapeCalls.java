package io.mykit.delay.grape.route;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.grape.call.Refusal;
import io.mykit.delay.grape.job.ConsumeCall;
import io.mykit.delay.grape.job.JobCalls;
import io.mykit.delay.grape.job.ProduceCall;
import io.mykit.delay.grape.tube.TubeCalls;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.call.Calls;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls of the port. Thread-safe; does not block. */
public final class GrapeCalls implements Calls {
    private final Gate gate;
    private final Traffic traffic;
    private final Rates rates;
    private final ProduceCall produces;
    private final ConsumeCall consumes;
    private final JobCalls jobs;
    private final TubeCalls tubes;

    public GrapeCalls(Engine engine, Gate gate, Tubes known, AuditTrail audit, Traffic traffic) {
        this.gate = gate;
        this.traffic = traffic;
        this.rates = new Rates(engine.limits(), engine.workers());
        this.produces = new ProduceCall(engine, known, rates);
        this.consumes = new ConsumeCall(engine, known, rates);
        this.jobs = new JobCalls(engine, known);
        this.tubes = new TubeCalls(engine, known, audit);
    }

    @Override
    public String route(String method, List<String> path) {
        return GrapeRoute.find(method, path).map(GrapeRoute::word).orElse("none");
    }

    @Override
    public boolean isGuarded(String method, List<String> path) {
        return gate.isClosed();
    }

    @Override
    public int maxBody(String method, List<String> path) {
        return ProduceCall.MAX_DATA;
    }

    @Override
    public CompletableFuture<Reply> answer(Request request) {
        Optional<GrapeRoute> found = GrapeRoute.find(request.method(), request.path());
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Refusal.noRoute(request.rawPath()));
        }
        traffic.note();
        GrapeRoute route = found.get();
        Principal caller = gate.admit(request, route);
        return switch (route) {
            case PRODUCE ->
                rates.within(caller, Kind.PUSH, 1, Refusal::limited, () -> produces.produce(request, caller));
            case CONSUME ->
                rates.within(caller, Kind.PULL, 0, Refusal::limited, () -> consumes.consume(request, caller));
            case DELETE -> jobs.delete(request);
            case FINISH -> jobs.finish(request);
            case DISCARD -> jobs.discard(request);
            case RELEASE -> jobs.release(request);
            case KICK -> jobs.kick(request);
            case BURY, FAILURE -> jobs.bury(request);
            case PEEK -> jobs.peek(request);
            case TUBE_CREATE -> tubes.create(request, caller);
            case TUBE_DELETE -> tubes.delete(request, caller);
            case TUBE_LIST -> tubes.list();
            case TUBE_STATS -> tubes.stats();
            case TUBE_STATS_OF -> tubes.stats(request.path().get(3));
        };
    }

    @Override
    public Reply failed(Throwable failure) {
        return Refusal.of(failure);
    }

    @Override
    public Reply error(int status, String text) {
        return Refusal.error(status, text);
    }
}
