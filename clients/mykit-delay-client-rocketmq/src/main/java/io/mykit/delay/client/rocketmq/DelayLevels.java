package io.mykit.delay.client.rocketmq;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The delays of the levels of {@code setDelayTimeLevel}, the first level first. Immutable. */
record DelayLevels(List<Duration> delays) {
    /** What a broker has without {@code messageDelayLevel}. */
    static final DelayLevels DEFAULT = parse("1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h");

    DelayLevels {
        delays = List.copyOf(delays);
    }

    /**
     * @param text as {@code messageDelayLevel} of a broker: numbers with s, m, h or d, separated by blanks
     * @throws IllegalArgumentException if it is no such text
     */
    static DelayLevels parse(String text) {
        try {
            List<Duration> delays = Arrays.stream(text.strip().split("\\s+"))
                    .map(each -> duration(
                            Long.parseLong(each.substring(0, each.length() - 1)), each.charAt(each.length() - 1)))
                    .toList();
            return new DelayLevels(delays);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw malformed(text, e);
        }
    }

    /** The delay of a level from 1 on. As at the broker, a level above the last one is the last one. */
    Duration of(int level) {
        return delays.get(Math.min(level, delays.size()) - 1);
    }

    private static Duration duration(long number, char unit) {
        Duration one =
                switch (unit) {
                    case 's' -> Duration.ofSeconds(1);
                    case 'm' -> Duration.ofMinutes(1);
                    case 'h' -> Duration.ofHours(1);
                    case 'd' -> Duration.ofDays(1);
                    default -> throw new NumberFormatException("no unit");
                };
        return one.multipliedBy(number);
    }

    private static IllegalArgumentException malformed(String text, Exception cause) {
        return new IllegalArgumentException(
                "delay levels must be as messageDelayLevel of the broker, such as 1s 5s 1m 2h: " + text, cause);
    }
}
