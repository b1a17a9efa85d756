package io.mykit.delay.spring.listener;

import io.mykit.delay.client.PulledMessage;
import io.mykit.delay.spring.DelayedMessage;
import java.time.Instant;
import java.util.Map;

/** A message of a consumer. */
record PulledByListener(PulledMessage message) implements DelayedMessage {
    @Override
    public String id() {
        return message.id();
    }

    @Override
    public String topic() {
        return message.topic();
    }

    @Override
    public String subtopic() {
        return message.subtopic();
    }

    @Override
    public String bizKey() {
        return message.bizKey();
    }

    @Override
    public String text() {
        return message.text();
    }

    @Override
    public byte[] bytes() {
        return message.body().bytes();
    }

    @Override
    public Map<String, String> headers() {
        return message.headers();
    }

    @Override
    public Instant dueTime() {
        return message.dueTime();
    }

    @Override
    public int attempt() {
        return message.attempt();
    }

    @Override
    public int maxAttempts() {
        return message.maxAttempts();
    }

    @Override
    public boolean isLeaseLost() {
        return message.isLeaseLost();
    }
}
