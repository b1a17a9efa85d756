package io.mykit.delay.controller.operate;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /reStore} and {@code /reStoreJob}. */
final class RestoreHandler {
    static final ParameterNames ALL = ParameterNames.orJson("expire", "topic", "dryRun", "stop", "resume");

    private static final JsonParameters ALL_BODY =
            new JsonParameters(ALL, Set.of("expire", "dryRun", "stop", "resume"), Set.of(), Set.of());

    private final Operators operators;
    private final Workers workers;
    private final OperatorLane lane;

    RestoreHandler(Operators operators, Workers workers, OperatorLane lane) {
        this.operators = operators;
        this.workers = workers;
        this.lane = lane;
    }

    CompletableFuture<Reply> one(Call call) {
        String id = JsonParameters.ID.read(call).messageId();
        return workers.run(() -> operators.restoreOne(id)
                ? Envelope.success(id)
                : ErrorMapper.failure(DelayException.unknown(id)).reply());
    }

    CompletableFuture<Reply> all(Call raw) {
        Call call = ALL_BODY.read(raw);
        Parameters given = call.parameters();
        RestoreOrder order = new RestoreOrder(
                given.flag("expire", true), given.topic(), given.flag("dryRun", false), given.flag("resume", false));
        return lane.run(call, () -> Envelope.success(data(order, operators.restoreAll(order))));
    }

    private static Map<String, Object> data(RestoreOrder order, RestoreReport report) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rows", report.rows());
        data.put("scheduled", report.scheduled());
        data.put("expired", report.expired());
        data.put("milliseconds", report.milliseconds());
        if (order.dryRun()) {
            data.put("dryRun", true);
        }
        if (report.stopped()) {
            data.put("stopped", true);
        }
        if (report.unreachable() > 0) {
            data.put("unreachable", report.unreachable());
        }
        return data;
    }
}
