package io.mykit.delay.controller.health;

import io.mykit.delay.access.Principal;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.leader.LeaderElector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Answers {@code /health}, for a person, and its two short forms, for a supervisor. */
final class HealthHandler {
    /** Without this part the server cannot accept messages. */
    private static final String STORE = "store";
    /** If this part is down, a loop does not run. */
    private static final String LOOPS = "loops";

    private final HealthBoard board;
    private final LeaderElector elector;
    private final String version;
    private final BooleanSupplier stopping;
    private final Predicate<Principal> details;
    private final long startedNanos = System.nanoTime();

    /**
     * @param stopping whether this node is stopping
     * @param details the callers that see more than the status
     */
    HealthHandler(
            HealthBoard board,
            LeaderElector elector,
            String version,
            BooleanSupplier stopping,
            Predicate<Principal> details) {
        this.board = board;
        this.elector = elector;
        this.version = version;
        this.stopping = stopping;
        this.details = details;
    }

    CompletableFuture<Reply> full(Call call) {
        return board.ask(name -> true).thenApply(parts -> {
            Map<String, Object> data = details.test(call.caller()) ? report(parts) : Map.of("status", status(parts));
            return isUp(parts, STORE) ? Envelope.success(data) : storeDown(data);
        });
    }

    CompletableFuture<Reply> live(Call call) {
        List<String> dead = board.beyondRepair();
        return dead.isEmpty() ? CompletableFuture.completedFuture(Envelope.success("UP")) : restart(call, dead);
    }

    CompletableFuture<Reply> ready(Call call) {
        if (stopping.getAsBoolean()) {
            Reply reply = ErrorMapper.unfit(ErrorCode.STOPPING, "this node is stopping; use another one", null);
            return CompletableFuture.completedFuture(reply);
        }
        List<String> dead = board.beyondRepair();
        if (!dead.isEmpty()) {
            return restart(call, dead);
        }
        return board.ask(STORE::equals)
                .thenApply(parts -> isUp(parts, STORE) ? Envelope.success("UP") : storeDown(data(call, parts)));
    }

    private CompletableFuture<Reply> restart(Call call, List<String> dead) {
        String which = details.test(call.caller()) ? " " + dead : "";
        String message = "restart this node: loops" + which + " do not run";
        return board.ask(LOOPS::equals)
                .thenApply(parts -> ErrorMapper.unfit(ErrorCode.INTERNAL, message, data(call, parts)));
    }

    private static Reply storeDown(Object data) {
        return ErrorMapper.unfit(ErrorCode.STORE_UNAVAILABLE, "the store cannot take messages", data);
    }

    private Map<String, Object> report(Map<String, Health> parts) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("status", status(parts));
        data.put("role", elector.role().name());
        data.put("epoch", elector.epoch());
        data.put("stopping", stopping.getAsBoolean());
        data.put("version", version);
        data.put("uptimeMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos));
        data.put("checks", data(parts));
        return data;
    }

    private static String status(Map<String, Health> parts) {
        boolean all = parts.values().stream().allMatch(Health::up);
        return !isUp(parts, STORE) ? "DOWN" : all ? "UP" : "DEGRADED";
    }

    private static boolean isUp(Map<String, Health> parts, String name) {
        Health health = parts.get(name);
        return health == null || health.up();
    }

    /** The details of the parts, if the caller may see them. */
    private Map<String, Object> data(Call call, Map<String, Health> parts) {
        return details.test(call.caller()) ? data(parts) : null;
    }

    private static Map<String, Object> data(Map<String, Health> parts) {
        Map<String, Object> data = new LinkedHashMap<>();
        parts.forEach((name, health) -> {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("up", health.up());
            part.put("details", health.details());
            data.put(name, part);
        });
        return data;
    }
}
