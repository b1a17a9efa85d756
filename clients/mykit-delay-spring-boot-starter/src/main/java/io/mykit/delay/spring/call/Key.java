package io.mykit.delay.spring.call;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedMessages;
import io.mykit.delay.client.Message;
import java.util.Objects;

/** The unfinished messages of a topic that have one business key. */
public record Key(String topic, String bizKey) {
    public Key {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(bizKey, "bizKey");
    }

    public KeyedMessages of(DelayClient client) {
        return client.ofKey(topic, bizKey);
    }

    public boolean isOf(Message message) {
        return message.topic().equals(topic) && message.bizKey().equals(bizKey);
    }
}
