package io.mykit.delay.queue.store;

import java.util.List;

/**
 * The rows of one topic among some rows that were looked at.
 *
 * @param rows in the order of the walk
 * @param looked how many rows were looked at; those behind the last full part are not counted
 * @param last the key of the last row that was looked at; null = no row comes after this part
 * @param <K> a key in the order of the walk
 */
public record TopicPart<K>(List<RowState> rows, int looked, K last) {}
