package io.mykit.delay.controller;

import io.mykit.delay.queue.recovery.ClearReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** {@code /clearAll}. */
final class ClearHandler implements CallHandler {
    private final Supplier<ClearReport> clearer;
    private final OperatorLane lane;

    ClearHandler(Supplier<ClearReport> clearer, OperatorLane lane) {
        this.clearer = clearer;
        this.lane = lane;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        return lane.run(call, () -> Envelope.success(data(clearer.get())));
    }

    private static Map<String, Object> data(ClearReport report) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rows", report.rows());
        data.put("milliseconds", report.milliseconds());
        if (report.stopped()) {
            data.put("stopped", true);
        }
        if (report.unreachable() > 0) {
            data.put("unreachable", report.unreachable());
        }
        return data;
    }
}
