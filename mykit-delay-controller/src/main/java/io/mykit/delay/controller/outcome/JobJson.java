package io.mykit.delay.controller.outcome;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.options.OptionsJson;
import io.mykit.delay.queue.producer.MessageView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A message with its state, its flow log, and where it goes. Thread-safe. */
public final class JobJson {
    private final Function<DelayMessage, MessageRoute> routes;

    /** @param routes the channel and the destination of a message; must not block */
    public JobJson(Function<DelayMessage, MessageRoute> routes) {
        this.routes = routes;
    }

    /** The field names are those of a push. */
    public Map<String, Object> of(MessageView view) {
        DelayMessage message = view.message();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", message.id());
        data.put("topic", message.topic());
        data.put("subtopic", message.subtopic());
        data.put("bizKey", message.bizKey());
        data.put(message.extras().binary() ? "bodyBase64" : "body", message.body());
        data.put("delay", message.delayMs());
        data.put("createTime", message.createTimeMs());
        data.put("dueTime", message.firstDueMs());
        data.put("priority", message.priority());
        data.put("ttl", message.ttlSeconds());
        data.putAll(OptionsJson.map(message.extras()));
        data.put("status", view.status().code());
        data.put("statusName", view.status().name());
        data.put("attempts", view.attempts());
        data.put("maxAttempts", view.maxAttempts());
        if (view.isWaiting()) {
            data.put("nextAttempt", message.dueTimeMs());
        }
        HoldJson.put(view.hold(), data);
        if (!view.lastError().isEmpty()) {
            data.put("lastError", view.lastError());
        }
        MessageResult result = view.result();
        if (result != null) {
            data.put(result.binary() ? "resultBase64" : "result", result.text());
        }
        data.put("updateTime", view.updateTimeMs());
        data.put("flow", view.flow().stream().map(JobJson::flow).toList());
        data.put("flowComplete", view.isFlowComplete());
        MessageRoute route = routes.apply(message);
        data.put("channel", route.channel());
        route.destination().ifPresent(destination -> data.put("destination", destination));
        view.bucket().ifPresent(bucket -> data.put("bucket", bucket));
        return data;
    }

    private static Map<String, Object> flow(StatusFlow flow) {
        MessageStatus from = flow.from();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("from", from == null ? null : from.code());
        data.put("to", flow.to().code());
        data.put("fromName", from == null ? null : from.name());
        data.put("toName", flow.to().name());
        data.put("time", flow.atMs());
        data.put("thread", flow.thread());
        data.put("host", flow.host());
        data.put("attempt", flow.attempt());
        data.put("detail", flow.detail());
        return data;
    }
}
