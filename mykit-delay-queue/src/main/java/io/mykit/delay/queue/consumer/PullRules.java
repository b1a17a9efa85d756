package io.mykit.delay.queue.consumer;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.queue.bucket.HoldReceipt;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules for what a consumer gives, the same for each protocol. A value that breaks one is refused with a {@link DelayException} of
 * INVALID_REQUEST that names the field and the limit. Stateless.
 */
public final class PullRules {
    /** The maximum of messages of one pull; the minimum is 1. */
    public static final int MAX_COUNT = 100;
    /** The bounds of {@code ttr}. */
    public static final Duration MIN_TTR = Duration.ofSeconds(1);

    public static final Duration MAX_TTR = Duration.ofHours(24);
    /** The maximum of {@code delay}. */
    public static final Duration MAX_DELAY = Duration.ofDays(30);

    private static final int MAX_TOPICS = 16;
    private static final int MAX_RECEIPT = 64;
    /** The stores keep the first 250 characters. */
    private static final int MAX_DETAIL = 1000;
    /** The characters that the name of a consumer has not. */
    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9._:@/-]");

    private PullRules() {}

    /** The topics of a pull. */
    public static List<String> topics(List<String> topics) {
        if (topics.isEmpty()) {
            throw invalid("topic is required");
        }
        if (topics.size() > MAX_TOPICS) {
            throw invalid("a pull names at most " + MAX_TOPICS + " topics");
        }
        Set<String> seen = new HashSet<>();
        topics.forEach(topic -> {
            if (!seen.add(topic(topic))) {
                throw invalid("topic " + topic + " is given twice");
            }
        });
        return topics;
    }

    /** The exact name of a topic. */
    public static String topic(String topic) {
        if (topic.isEmpty()) {
            throw invalid("topic is empty");
        }
        if (topic.endsWith("*")) {
            throw invalid("topic ends with *: this call takes the exact names of topics, and no pattern");
        }
        return FieldRules.name("topic", topic, MessageLimits.MAX_TOPIC);
    }

    /** The name that a consumer gives itself. */
    public static String consumer(String name) {
        if (name.isEmpty()
                || name.length() > HoldReceipt.MAX_CONSUMER
                || NO_NAME.matcher(name).find()) {
            throw invalid("consumer must have 1 to " + HoldReceipt.MAX_CONSUMER
                    + " characters: letters and digits of ASCII, and . _ : @ / -");
        }
        return name;
    }

    /** The name of a consumer that gives none: its address, cut and cleaned. */
    public static String consumerAt(String address) {
        String name = NO_NAME.matcher(address).replaceAll("-");
        return name.substring(0, Math.min(name.length(), HoldReceipt.MAX_CONSUMER));
    }

    public static String receipt(String receipt) {
        if (receipt.isEmpty()) {
            throw invalid("receipt is empty");
        }
        return FieldRules.name("receipt", receipt, MAX_RECEIPT);
    }

    /** The consumer's reason for a nack or a bury. */
    public static String detail(String detail) {
        return FieldRules.plain("detail", detail, MAX_DETAIL);
    }

    /**
     * The result of an ack.
     *
     * @param field the name of the field, for the refusal
     * @param binary whether the value is Base64
     * @throws DelayException TOO_LARGE
     */
    public static MessageResult result(String field, String value, boolean binary) {
        MessageResult result =
                new MessageResult(binary ? FieldRules.base64(field, value) : FieldRules.paired(field, value), binary);
        if (result.isTooLarge()) {
            throw new DelayException(
                    ErrorCode.TOO_LARGE, field + " is larger than " + MessageLimits.MAX_RESULT_BYTES + " bytes");
        }
        return result;
    }
}
