package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Tells a message's fault from the broker's in what the client throws. */
final class SendFaults {
    /** The broker is there but does not take anything, or nothing of this topic. */
    private static final Set<Integer> BROKER_OR_TOPIC = Set.of(
            ResponseCode.SYSTEM_BUSY,
            ResponseCode.SERVICE_NOT_AVAILABLE,
            ResponseCode.NO_PERMISSION,
            ResponseCode.TOPIC_NOT_EXIST,
            ResponseCode.GO_AWAY,
            ResponseCode.FLOW_CONTROL,
            ResponseCode.REQUEST_CODE_NOT_SUPPORTED,
            ResponseCode.NOT_IN_CURRENT_UNIT,
            ResponseCode.NOT_LEADER_FOR_QUEUE);

    private SendFaults() {}

    /**
     * The fate of a message that may have been at fault when it was sent alone: refused if it is illegal, unclear if the
     * broker says only that something is wrong with itself, failed if it has another reason; empty if the broker, the topic
     * or the way there cannot be used.
     */
    static Optional<Delivery> ofMessage(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException answer) {
                return ofAnswer(answer);
            }
            if (cause instanceof MQClientException client && client.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL) {
                return Optional.of(Delivery.refused(reason(client.getErrorMessage())));
            }
        }
        return Optional.empty();
    }

    /** Whether the broker does not let us in, or not do what was asked; why, in its words. */
    static Optional<String> ofPermission(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException answer && answer.getResponseCode() == ResponseCode.NO_PERMISSION) {
                return Optional.of("RocketMQ gives no permission: " + Reasons.shortened("" + answer.getErrorMessage())
                        + " (check mykit.delay.rocketmq.access-key, .secret-key, and what that account may do)");
            }
        }
        return Optional.empty();
    }

    private static Optional<Delivery> ofAnswer(MQBrokerException answer) {
        if (BROKER_OR_TOPIC.contains(answer.getResponseCode())) {
            return Optional.empty();
        }
        String reason = reason(answer.getErrorMessage()) + " (code " + answer.getResponseCode() + ")";
        if (answer.getResponseCode() == ResponseCode.SYSTEM_ERROR) {
            // Its disk, its replicas, a bug of it: or it choked on this message.
            return Optional.of(Delivery.unclear(reason));
        }
        return Optional.of(
                answer.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL
                        ? Delivery.refused(reason)
                        : Delivery.failed(reason));
    }

    private static String reason(String message) {
        return "RocketMQ: " + Reasons.shortened(message == null ? "no reason given" : message);
    }
}
