package io.mykit.delay.queue.query;

/**
 * A page of the list of topics.
 *
 * @param prefix only topics that begin with it; empty = all topics
 * @param trouble only topics with trouble
 * @param after the last topic of the page before; empty = the first page. A topic that has gone meanwhile begins the list anew,
 *     unless the order is by name
 * @param limit the maximum of topics
 */
public record TopicListOrder(String prefix, boolean trouble, TopicSort sort, String after, int limit) {}
