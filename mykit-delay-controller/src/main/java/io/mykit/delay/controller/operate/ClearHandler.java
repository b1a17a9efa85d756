package io.mykit.delay.controller.operate;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.Operators;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /clearAll} and {@code /topics/clear}. */
final class ClearHandler {
    /** There is no resume, because a second clear does not see the messages that are already cancelled. */
    static final ParameterNames ALL = ParameterNames.orJson("topic", "dryRun", "stop");

    static final ParameterNames TOPIC = ParameterNames.orJson("topic", "state", "dryRun", "wait", "stop");

    private static final JsonParameters ALL_BODY =
            new JsonParameters(ALL, Set.of("dryRun", "stop"), Set.of(), Set.of());
    private static final JsonParameters TOPIC_BODY =
            new JsonParameters(TOPIC, Set.of("dryRun", "stop"), Set.of(), Set.of("wait"));

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration MAX_WAIT = Duration.ofHours(1);
    private static final String STATES = "state must be ready or all";

    private final Operators operators;
    private final OperatorLane lane;

    ClearHandler(Operators operators, OperatorLane lane) {
        this.operators = operators;
        this.lane = lane;
    }

    CompletableFuture<Reply> all(Call raw) {
        Call call = ALL_BODY.read(raw);
        ClearOrder order =
                new ClearOrder(call.parameters().topic(), call.parameters().flag("dryRun", false));
        return lane.run(call, () -> done(order));
    }

    /** The state is required: no call cancels the waiting messages of a topic by accident. */
    CompletableFuture<Reply> topic(Call raw) {
        Call call = TOPIC_BODY.read(raw);
        Parameters given = call.parameters();
        if (given.flag("stop", false)) {
            return lane.stop(call);
        }
        String topic = PauseHandler.topic(given);
        boolean dueOnly = given.text("state").map(ClearHandler::isReady).orElseThrow(() -> invalid(STATES));
        ClearOrder order = new ClearOrder(Optional.of(topic), dueOnly, given.flag("dryRun", false));
        Duration wait = given.duration("wait", Duration.ZERO, MAX_WAIT).orElse(WAIT);
        return lane.run(wait, () -> done(order));
    }

    private static boolean isReady(String state) {
        return switch (state) {
            case "ready" -> true;
            case "all" -> false;
            default -> throw invalid(STATES);
        };
    }

    private Reply done(ClearOrder order) {
        return Envelope.success(data(order, operators.clear(order)));
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
