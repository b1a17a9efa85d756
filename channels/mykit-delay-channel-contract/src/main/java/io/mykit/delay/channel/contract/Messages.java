package io.mykit.delay.channel.contract;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Makes messages for tests of channels. Stateless. */
public final class Messages {
    private static final long DUE_MS = 1_900_000_000_123L;

    private Messages() {}

    /** A name that was never used before. */
    public static String newTopic() {
        return "topic-" + UUID.randomUUID();
    }

    public static DelayMessage message(String id, String topic, String subtopic, String bizKey, String body) {
        return new DelayMessage(id, topic, subtopic, bizKey, body, 1000, DUE_MS - 1000, DUE_MS, 0, 0);
    }

    /** A message with headers. */
    public static DelayMessage withHeaders(String topic, Map<String, String> headers) {
        return message("headers-" + UUID.randomUUID(), topic, "s", "k", "x")
                .withExtras(MessageExtras.NONE.withHeaders(headers));
    }

    /** Different messages. Their ids contain the topic. */
    public static List<DelayMessage> batch(String topic, int size, int bodyLength) {
        String run = UUID.randomUUID().toString().substring(0, 8);
        return IntStream.range(0, size)
                .mapToObj(i -> message(run + "-" + i + "-" + topic, topic, "s", "k" + i, "x".repeat(bodyLength)))
                .toList();
    }

    /** A message whose body does not shrink by compression. */
    public static DelayMessage incompressible(String topic, int bodyLength) {
        String body = new Random(bodyLength)
                .ints(bodyLength, '!', '~')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return message("incompressible-" + UUID.randomUUID(), topic, "", "", body);
    }

    /** The arrival of a message at a broker that carries every field. */
    public static Arrival expected(DelayMessage message) {
        return new Arrival(
                message.id(), message.subtopic(), message.bizKey(), message.dueTimeMs(), message.body(), 0, Map.of());
    }

    public static Arrival comparable(Arrival arrival) {
        return new Arrival(
                arrival.id(), arrival.subtopic(), arrival.bizKey(), arrival.dueTimeMs(), arrival.body(), 0, Map.of());
    }
}
