package io.mykit.delay.queue.query;

import java.util.Comparator;

/** The order of a list of topics. Topics that are equal in it are in the order of their names. */
public enum TopicSort {
    NAME("name", Comparator.comparing(TopicRow::topic)),
    OVERDUE("overdue", most(Comparator.comparingLong(TopicRow::oldestOverdueMs))),
    WAITING("waiting", most(Comparator.comparingLong(row -> row.count().waiting()))),
    DEAD("dead", most(Comparator.comparingLong(TopicRow::dead)));

    private final String word;
    private final Comparator<TopicRow> order;

    TopicSort(String word, Comparator<TopicRow> order) {
        this.word = word;
        this.order = order;
    }

    private static Comparator<TopicRow> most(Comparator<TopicRow> least) {
        return least.reversed().thenComparing(TopicRow::topic);
    }

    public String word() {
        return word;
    }

    Comparator<TopicRow> order() {
        return order;
    }
}
