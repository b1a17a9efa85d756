package io.mykit.delay.controller.operate;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.recovery.ClearOrder;
import io.mykit.delay.queue.recovery.ClearReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers {@code /clearAll}. */
final class ClearHandler implements CallHandler {
    private final Function<ClearOrder, ClearReport> clearer;
    private final OperatorLane lane;

    ClearHandler(Function<ClearOrder, ClearReport> clearer, OperatorLane lane) {
        this.clearer = clearer;
        this.lane = lane;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        ClearOrder order =
                new ClearOrder(call.parameters().topic(), call.parameters().flag("dryRun", false));
        return lane.run(call, () -> Envelope.success(data(order, clearer.apply(order))));
    }

    private static Map<String, Object> data(ClearOrder order, ClearReport report) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rows", report.rows());
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
