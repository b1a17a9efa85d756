package io.mykit.delay.channel.webhook;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of HTTP statuses, as in {@code 200-299,404}. Immutable. */
final class Statuses {
    private static final Pattern PART = Pattern.compile("([1-5]\\d\\d)(?:-([1-5]\\d\\d))?");

    private final List<Range> ranges;

    private Statuses(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * @throws IllegalArgumentException if the text has another form; the message continues a sentence
     */
    static Statuses of(String text) {
        return new Statuses(Arrays.stream(text.strip().split("\\s*,\\s*"))
                .map(Statuses::range)
                .toList());
    }

    boolean contain(int status) {
        return ranges.stream().anyMatch(range -> status >= range.first && status <= range.last);
    }

    private static Range range(String text) {
        Matcher part = PART.matcher(text);
        if (!part.matches()) {
            throw new IllegalArgumentException("must be HTTP statuses such as 200-299,404");
        }
        int first = Integer.parseInt(part.group(1));
        return new Range(first, part.group(2) == null ? first : Integer.parseInt(part.group(2)));
    }

    private record Range(int first, int last) {}
}
