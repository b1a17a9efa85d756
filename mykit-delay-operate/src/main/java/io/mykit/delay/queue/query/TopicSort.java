package io.mykit.delay.queue.query;

import java.util.Comparator;

/** The order of a list of topics. Topics that are equal in it are in the order of their names. */
public enum TopicSort {
    NAME("name"),
    OVERDUE("overdue"),
    WAITING("waiting"),
    DEAD("dead"),
    TROUBLE("trouble");

    private final String word;

    TopicSort(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    Comparator<TopicRow> order() {
        return switch (this) {
            case NAME -> Comparator.comparing(TopicRow::topic);
            case OVERDUE -> most(Comparator.comparingLong(TopicRow::oldestOverdueMs));
            case WAITING -> most(Comparator.comparingLong(row -> row.count().waiting()));
            case DEAD -> most(Comparator.comparingLong(TopicRow::dead));
            case TROUBLE -> worst();
        };
    }

    /** Topics without trouble come last. */
    private static Comparator<TopicRow> worst() {
        return Comparator.<TopicRow>comparingInt(
                        row -> row.trouble().map(Enum::ordinal).orElse(Integer.MAX_VALUE))
                .thenComparing(most(Comparator.comparingLong(TopicRow::oldestOverdueMs)));
    }

    private static Comparator<TopicRow> most(Comparator<TopicRow> least) {
        return least.reversed().thenComparing(TopicRow::topic);
    }
}
