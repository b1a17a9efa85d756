package io.mykit.delay.queue.overview;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of work that runs on a node: {@code <node>-<number>}. Immutable.
 *
 * @param number unique on the node since its start
 */
record WorkId(String node, long number) {
    private static final Pattern FORM = Pattern.compile("(.{1,300})-(\\d{1,18})");

    /** Empty if the text is no such id. */
    static Optional<WorkId> of(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new WorkId(form.group(1), Long.parseLong(form.group(2))))
                : Optional.empty();
    }
}
