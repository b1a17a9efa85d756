package io.mykit.delay.outbox;

import io.mykit.delay.client.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A call that the application makes.
 *
 * @param messageId null = a call for a business key
 * @param topic null = not known
 * @param bizKey null = none
 * @param content the JSON of a message; null = no push
 */
record NewCall(Operation operation, String messageId, String topic, String bizKey, String content) {
    private static final int MAX_LENGTH = 128;

    static NewCall push(Message message) {
        return new NewCall(
                Operation.PUSH,
                checked("id", message.id()),
                checked("topic", message.topic()),
                message.bizKey().isEmpty() ? null : checked("bizKey", message.bizKey()),
                message.toJson());
    }

    static NewCall of(Operation operation, String id) {
        return new NewCall(operation, checked("id", id), null, null, null);
    }

    static NewCall ofKey(Operation operation, String topic, String bizKey) {
        return new NewCall(operation, null, checked("topic", topic), checked("bizKey", bizKey), null);
    }

    /** The table has so much room, and the server allows no more. */
    private static String checked(String name, String text) {
        Objects.requireNonNull(text, name);
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    name + " has " + text.length() + " characters; 1 to " + MAX_LENGTH + " are possible");
        }
        return text;
    }

    /** Of the columns from {@code operation} to {@code content_length}, and these. */
    List<Object> values(List<Long> more) {
        List<Object> values = new ArrayList<>();
        values.add(operation.word());
        values.add(messageId);
        values.add(topic);
        values.add(bizKey);
        values.add(content);
        values.add(content == null ? 0 : content.length());
        values.addAll(more);
        return values;
    }
}
