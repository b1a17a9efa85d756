package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Decides by the client's exception whether the message or the broker is at fault. Stateless. */
final class SendFaults {
    /** Answers of a broker that runs but accepts nothing, or nothing of this topic. */
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
     * The fate of a message that may have been at fault when it was sent alone: REFUSED if the message is illegal, UNCLEAR
     * if the broker only reports a fault of its own, FAILED for any other reason; empty if the broker, the topic or the
     * connection cannot be used.
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

    /** Whether a broker answered that it takes nothing now, or nothing of this topic: it has not stored the message. */
    static boolean isRefusal(Throwable thrown) {
        return thrown instanceof MQBrokerException answer && BROKER_OR_TOPIC.contains(answer.getResponseCode());
    }

    /** The broker's words if it denies the account access or permission; otherwise empty. */
    static Optional<String> ofPermission(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException answer && answer.getResponseCode() == ResponseCode.NO_PERMISSION) {
                return Optional.of("RocketMQ denies permission: " + Reasons.shortened("" + answer.getErrorMessage())
                        + " (check mykit.delay.rocketmq.access-key, .secret-key, and the permissions of that account)");
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
            // Either the broker is at fault (disk, replicas, a bug), or this message makes it fail.
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
