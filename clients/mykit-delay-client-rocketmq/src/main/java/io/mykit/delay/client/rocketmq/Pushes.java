package io.mykit.delay.client.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * A message of RocketMQ as a push. The channel {@code rocketmq} of the server makes the same message of it: all properties are headers, and
 * the target tells that nothing is to be added. So a topic that leads to another channel refuses the push. Stateless.
 */
final class Pushes {
    private static final int MAX_BIZ_KEY = 128;

    private Pushes() {}

    /** @param message with a {@code UNIQ_KEY}, which becomes the id */
    static io.mykit.delay.client.Message of(DefaultMQProducer producer, Message message, DueTime due) {
        // The slash separates a namespace in mykit-delay, the percent sign in RocketMQ.
        @SuppressWarnings("deprecation")
        String topic = producer.withNamespace(message.getTopic()).replace('%', '/');
        io.mykit.delay.client.Message.Builder push = io.mykit.delay.client.Message.builder(topic)
                .id(message.getProperty(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX))
                .headers(headers(message))
                .target(Map.of("flag", Integer.toString(message.getFlag())));
        body(push, message.getBody());
        if (due.delay() == null) {
            push.at(due.at());
        } else {
            push.delay(due.delay());
        }
        if (message.getTags() != null && !message.getTags().isEmpty()) {
            push.subtopic(message.getTags());
        }
        String key = firstKey(message.getKeys());
        if (!key.isEmpty() && key.length() <= MAX_BIZ_KEY) {
            push.bizKey(key);
        }
        return push.build();
    }

    private static Map<String, String> headers(Message message) {
        Map<String, String> headers = new TreeMap<>(message.getProperties());
        headers.remove(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX);
        headers.keySet().removeAll(DueTime.MARKS);
        headers.remove(MessageConst.PROPERTY_TAGS);
        // The server waits for the broker always.
        headers.remove(MessageConst.PROPERTY_WAIT_STORE_MSG_OK);
        headers.computeIfPresent(MessageConst.PROPERTY_KEYS, (name, keys) -> keys.isBlank() ? null : keys);
        return headers;
    }

    /** Bytes that are UTF-8 go as a text, which is shorter than Base64, and can be read in the console. They arrive as the same bytes. */
    private static void body(io.mykit.delay.client.Message.Builder push, byte[] body) {
        try {
            push.body(UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
        } catch (CharacterCodingException e) {
            push.body(body);
        }
    }

    /** Keys are separated by blanks; the first one finds the message in mykit-delay. */
    private static String firstKey(String keys) {
        return keys == null ? "" : keys.strip().split("\\s+", 2)[0];
    }
}
