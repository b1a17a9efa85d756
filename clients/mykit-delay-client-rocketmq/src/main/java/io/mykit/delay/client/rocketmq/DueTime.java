package io.mykit.delay.client.rocketmq;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * When a message is due, by the marks of RocketMQ and in the order in which a broker reads them. Immutable.
 *
 * @param delay after the server has taken the message; null = {@code at} is given
 * @param at null = {@code delay} is given
 * @param ofBroker whether every broker knows the mark
 */
record DueTime(Duration delay, Instant at, boolean ofBroker) {
    /** The mark of Alibaba's brokers and clients, in epoch milliseconds. Other brokers ignore it. */
    private static final String START_DELIVER_TIME = "__STARTDELIVERTIME";

    static final List<String> MARKS = List.of(
            MessageConst.PROPERTY_DELAY_TIME_LEVEL,
            MessageConst.PROPERTY_TIMER_DELAY_SEC,
            MessageConst.PROPERTY_TIMER_DELAY_MS,
            MessageConst.PROPERTY_TIMER_DELIVER_MS,
            START_DELIVER_TIME);

    /** Epoch milliseconds, the last of the year 9999, as the server has it. */
    private static final long MAX_MS = 253_402_300_799_999L;

    /**
     * Empty if a broker would deliver the message at once: it has no mark, or one that is not above zero or in the past.
     *
     * @throws MQClientException if a mark is no number; the message names it
     */
    static Optional<DueTime> of(Message message, DelayLevels levels, Instant now) throws MQClientException {
        Map<String, String> properties = message.getProperties();
        if (properties == null || MARKS.stream().noneMatch(properties::containsKey)) {
            return Optional.empty();
        }
        long level = number(properties, MessageConst.PROPERTY_DELAY_TIME_LEVEL);
        if (level > 0) {
            return Optional.of(after(levels.of((int) Math.min(level, Integer.MAX_VALUE))));
        }
        if (properties.containsKey(MessageConst.PROPERTY_TIMER_DELAY_SEC)) {
            long seconds = number(properties, MessageConst.PROPERTY_TIMER_DELAY_SEC);
            return seconds > 0 ? Optional.of(after(Duration.ofSeconds(seconds))) : Optional.empty();
        }
        if (properties.containsKey(MessageConst.PROPERTY_TIMER_DELAY_MS)) {
            long milliseconds = number(properties, MessageConst.PROPERTY_TIMER_DELAY_MS);
            return milliseconds > 0 ? Optional.of(after(Duration.ofMillis(milliseconds))) : Optional.empty();
        }
        boolean ofBroker = properties.containsKey(MessageConst.PROPERTY_TIMER_DELIVER_MS);
        Instant at = Instant.ofEpochMilli(
                number(properties, ofBroker ? MessageConst.PROPERTY_TIMER_DELIVER_MS : START_DELIVER_TIME));
        return at.isAfter(now) ? Optional.of(new DueTime(null, at, ofBroker)) : Optional.empty();
    }

    /** Whether the broker's own timer may keep the message. */
    boolean isBelow(Duration least, Instant now) {
        return ofBroker && (delay == null ? Duration.between(now, at) : delay).compareTo(least) < 0;
    }

    private static DueTime after(Duration delay) {
        return new DueTime(delay, null, true);
    }

    private static long number(Map<String, String> properties, String name) throws MQClientException {
        String text = properties.get(name);
        if (text == null) {
            return 0;
        }
        try {
            long number = Long.parseLong(text);
            if (number <= MAX_MS) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw Refusals.of("the property " + name + " is no number", e);
        }
        throw Refusals.of("the property " + name + " is later than the year 9999", null);
    }
}
