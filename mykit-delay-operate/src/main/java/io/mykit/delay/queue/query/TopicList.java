package io.mykit.delay.queue.query;

import java.util.List;

/**
 * A page of the list of topics.
 *
 * @param asOfMs when the numbers were read, epoch milliseconds
 * @param total the topics with this prefix; only those with trouble if the order asks for them
 * @param troubled the topics with this prefix that have trouble
 * @param complete false if there are more topics than the list holds
 * @param leads whether this node leads. Only the leader knows which topics cannot be delivered
 * @param last whether no topic follows
 */
public record TopicList(
        long asOfMs, int total, int troubled, boolean complete, boolean leads, List<TopicRow> rows, boolean last) {}
