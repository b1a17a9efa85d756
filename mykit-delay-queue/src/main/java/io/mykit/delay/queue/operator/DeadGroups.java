package io.mykit.delay.queue.operator;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.store.DeadNote;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The dead letters of one topic by their causes.
 *
 * @param of the number of dead letters that were read: the newest ones
 * @param groups the largest first
 */
public record DeadGroups(long of, List<DeadGroup> groups) {
    /** The dead letters that are read. */
    public static final int MAX_READ = 10_000;

    private static final int MAX_GROUPS = 50;
    private static final int MAX_TEXT = 80;
    /** Ids, ports and times make each detail another text. The status of an HTTP answer is the cause itself. */
    private static final Pattern NUMBER =
            Pattern.compile("\\b(?=[a-f-]*[0-9])[0-9a-f]{8}[0-9a-f-]{8,}\\b|(?<!HTTP |[0-9])[0-9]+");

    /** Groups the notes of one topic. */
    public static DeadGroups of(List<DeadNote> newest) {
        Map<Cause, DeadGroup> groups = new HashMap<>();
        for (DeadNote note : newest) {
            groups.merge(
                    new Cause(note.reason(), folded(note.detail())),
                    new DeadGroup(note.reason(), folded(note.detail()), 1, note.deadTimeMs()),
                    DeadGroups::together);
        }
        return new DeadGroups(
                newest.size(),
                groups.values().stream()
                        .sorted(Comparator.comparingLong(DeadGroup::count)
                                .reversed()
                                .thenComparing(DeadGroup::text))
                        .limit(MAX_GROUPS)
                        .toList());
    }

    private static DeadGroup together(DeadGroup one, DeadGroup other) {
        return new DeadGroup(
                one.reason(), one.text(), one.count() + other.count(), Math.max(one.newestMs(), other.newestMs()));
    }

    private static String folded(String detail) {
        String text = NUMBER.matcher(detail).replaceAll("#");
        int end = Math.min(MAX_TEXT, text.length());
        // A pair of surrogates is not cut.
        boolean cutsPair = end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, cutsPair ? end - 1 : end);
    }

    private record Cause(DeadReason reason, String text) {}
}
