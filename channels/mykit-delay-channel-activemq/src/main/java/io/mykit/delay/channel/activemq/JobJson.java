package io.mykit.delay.channel.activemq;

import com.alibaba.fastjson2.JSONWriter;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;

/**
 * A message as mykit-delay 1.x sent it on ActiveMQ: its {@code ActiveMQConsumeQueue} sent {@code Job.toJsonString()}, which
 * is fastjson 1.2.31 over the getters of {@code JobMsg}, in alphabetical order. Two details differ. An empty text appears
 * as {@code ""}, while 1.x left out a field that the producer had left out. {@code buckedName}, the name of a Redis key of
 * 1.x, never appears. If the body is bytes, {@code body} has their Base64 text: 1.x had no bytes.
 */
final class JobJson {
    private JobJson() {}

    static String of(DelayMessage message) {
        try (JSONWriter json = JSONWriter.of()) {
            json.startObject();
            text(json, "bizKey", message.bizKey());
            text(json, "body", message.body());
            number(json, "createTime", message.createTimeMs());
            number(json, "delay", message.delayMs());
            text(json, "id", message.id());
            // 1.x set FINISH only after the send.
            number(json, "status", MessageStatus.READY.code());
            text(json, "subtopic", message.subtopic());
            text(json, "topic", message.topic());
            number(json, "ttl", message.ttlSeconds());
            json.endObject();
            return json.toString();
        }
    }

    private static void text(JSONWriter json, String name, String value) {
        json.writeName(name);
        json.writeColon();
        json.writeString(value);
    }

    private static void number(JSONWriter json, String name, long value) {
        json.writeName(name);
        json.writeColon();
        json.writeInt64(value);
    }
}
