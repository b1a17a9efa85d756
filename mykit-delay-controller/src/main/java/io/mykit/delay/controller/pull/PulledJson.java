package io.mykit.delay.controller.pull;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.consumer.PulledMessage;
import java.util.LinkedHashMap;
import java.util.Map;

/** A message as its consumer gets it. The field names are those of a push. Stateless. */
final class PulledJson {
    private PulledJson() {}

    static Map<String, Object> of(PulledMessage pulled) {
        DelayMessage message = pulled.message();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", message.id());
        data.put("topic", message.topic());
        data.put("subtopic", message.subtopic());
        data.put("bizKey", message.bizKey());
        data.put(message.extras().binary() ? "bodyBase64" : "body", message.body());
        data.put("headers", message.extras().headers());
        data.put("createTime", message.createTimeMs());
        data.put("dueTime", message.firstDueMs());
        data.put("priority", message.priority());
        data.put("attempt", pulled.attempt());
        data.put("deliveries", pulled.deliveries());
        data.put("maxAttempts", pulled.maxAttempts());
        if (!pulled.receipt().isEmpty()) {
            data.put("receipt", pulled.receipt());
            data.put("leaseUntil", pulled.leaseUntilMs());
        }
        return data;
    }
}
