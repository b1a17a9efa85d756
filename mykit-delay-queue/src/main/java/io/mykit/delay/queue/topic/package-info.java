/**
 * The settings of topics that operators change while the queue runs, as this node knows them. {@link
 * io.mykit.delay.queue.topic.TopicPauses} is the entry. The threads of all deliveries and pulls ask it; its own loop reads the
 * store.
 */
package io.mykit.delay.queue.topic;
