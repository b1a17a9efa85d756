package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;

/**
 * The headers of a message as properties of RocketMQ, in one of two ways. Stateless.
 *
 * <p>A message of mykit-delay has id and business key as keys, and the user properties {@code id} and {@code dueTime}.
 *
 * <p>A push with a target was made by a producer of RocketMQ, and mykit-delay only delays it. Its properties are its headers, keys
 * included, and its id is the message id. The target has its flag, which is no property. A target and no header says so, because a channel
 * that cannot keep such a message refuses a push with a target.
 */
final class HeaderProperties {
    static final String ID = "id";
    static final String DUE_TIME = "dueTime";

    private static final String FLAG = "flag";

    /** The copy of a dead letter has such a header, and no target. */
    private static final String OF_DEAD_LETTER = "mykit-delay-dead-id";

    /** The properties of RocketMQ that a producer sets by methods of a message, and that mean the same to a later broker. */
    private static final Set<String> OF_PRODUCERS = Set.of(
            MessageConst.PROPERTY_KEYS,
            MessageConst.PROPERTY_BUYER_ID,
            MessageConst.PROPERTY_INSTANCE_ID,
            MessageConst.PROPERTY_PRIORITY);

    /** Orders to a broker that RocketMQ's client does not reserve. */
    private static final Set<String> OF_BROKERS = Set.of(
            MessageConst.PROPERTY_ORIGIN_GROUP,
            MessageConst.PROPERTY_TRANS_OFFSET,
            MessageConst.PROPERTY_INNER_NUM,
            MessageConst.PROPERTY_INNER_BASE,
            MessageConst.PROPERTY_INNER_MULTI_DISPATCH,
            MessageConst.PROPERTY_CHECK_IMMUNITY_TIME_IN_SECONDS,
            MessageConst.PROPERTY_TRANSACTION_ID,
            MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES,
            MessageConst.PROPERTY_LITE_TOPIC,
            MessageConst.PROPERTY_FORWARD_QUEUE_ID,
            MessageConst.PROPERTY_REDIRECT,
            MessageConst.PROPERTY_TIMER_ROLL_LABEL,
            MessageConst.TIMER_ENGINE_TYPE,
            "__STARTDELIVERTIME");

    private HeaderProperties() {}

    static void put(DelayMessage message, Message mapped) {
        message.extras().headers().forEach((name, value) -> MessageAccessor.putProperty(mapped, name, value));
        Map<String, String> target = message.extras().target();
        if (!target.isEmpty()) {
            mapped.setFlag(Integer.parseInt(target.get(FLAG)));
            MessageAccessor.putProperty(mapped, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, message.id());
            return;
        }
        List<String> keys = new ArrayList<>(List.of(message.id()));
        if (!message.bizKey().isBlank()) {
            keys.add(message.bizKey());
        }
        mapped.setKeys(keys);
        mapped.putUserProperty(ID, message.id());
        mapped.putUserProperty(DUE_TIME, Long.toString(message.firstDueMs()));
    }

    /** The reason why RocketMQ cannot carry headers and target of this message; empty if there is none. */
    static Optional<String> objection(DelayMessage message) {
        Map<String, String> target = message.extras().target();
        if (!target.isEmpty() && !target.keySet().equals(Set.of(FLAG))) {
            return Optional.of("target has " + String.join(", ", target.keySet()) + "; the channel rocketmq knows "
                    + FLAG + " alone");
        }
        if (!target.isEmpty() && !isInteger(target.get(FLAG))) {
            return Optional.of("target." + FLAG + " must be an integer");
        }
        Map<String, String> headers = message.extras().headers();
        // What the channel adds to the copy of a dead letter wins over headers of these names.
        boolean ofProducer = !target.isEmpty() || headers.containsKey(OF_DEAD_LETTER);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            if (isReserved(name, ofProducer)) {
                return Optional.of("headers." + name + " is reserved: RocketMQ messages have a property " + name);
            }
            if (header.getValue().isBlank()) {
                return Optional.of("headers." + name + " is blank: RocketMQ cannot carry blank properties");
            }
            if (hasSeparator(header.getValue())) {
                return Optional.of("headers." + name + " has U+0001 or U+0002, which RocketMQ cannot carry");
            }
        }
        return Optional.empty();
    }

    static boolean hasSeparator(String value) {
        return value.indexOf(MessageDecoder.NAME_VALUE_SEPARATOR) >= 0
                || value.indexOf(MessageDecoder.PROPERTY_SEPARATOR) >= 0;
    }

    private static boolean isReserved(String name, boolean ofProducer) {
        boolean added = name.equals(ID) || name.equals(DUE_TIME);
        if (added || OF_PRODUCERS.contains(name)) {
            return !ofProducer;
        }
        return MessageConst.STRING_HASH_SET.contains(name)
                || OF_BROKERS.contains(name)
                || name.startsWith(MessageConst.PROPERTY_TRANSIENT_PREFIX);
    }

    private static boolean isInteger(String text) {
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
