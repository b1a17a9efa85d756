package io.mykit.delay.queue.series;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A sample as a short text for Redis: {@code 1800000000000;12,0,3,11,0,0,0;44;120;5:9,7:2}. The parts are time, counters, longest
 * lateness, near messages, and the classes that are not empty. Stateless.
 */
final class SampleText {
    private static final int PARTS = 5;

    private SampleText() {}

    static String write(Sample sample) {
        String flows = Arrays.stream(sample.flows()).mapToObj(Long::toString).collect(joining(","));
        String classes = IntStream.range(0, LatenessClasses.COUNT)
                .filter(i -> sample.classes()[i] > 0)
                .mapToObj(i -> i + ":" + sample.classes()[i])
                .collect(joining(","));
        return sample.timeMs() + ";" + flows + ";" + sample.longestMs() + ";" + sample.near() + ";" + classes;
    }

    /**
     * Empty if the text has another form, as a newer node may write it.
     *
     * @param counters the number of counters that it must have
     */
    static Optional<Sample> read(String text, int counters) {
        try {
            String[] parts = text.split(";", -1);
            long[] flows = Arrays.stream(parts[1].split(",", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            long[] classes = new long[LatenessClasses.COUNT];
            for (String each : parts[4].isEmpty() ? new String[0] : parts[4].split(",", -1)) {
                String[] pair = each.split(":", -1);
                classes[Integer.parseInt(pair[0])] = Long.parseLong(pair[1]);
            }
            return parts.length == PARTS && flows.length == counters
                    ? Optional.of(new Sample(
                            Long.parseLong(parts[0]),
                            flows,
                            classes,
                            Long.parseLong(parts[2]),
                            Long.parseLong(parts[3])))
                    : Optional.empty();
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
