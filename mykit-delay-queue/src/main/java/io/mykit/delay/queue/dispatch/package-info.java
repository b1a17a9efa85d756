/**
 * Delivery from the ready lists to the brokers, on the leader. The {@link io.mykit.delay.queue.dispatch.Dispatcher} keeps one
 * {@link io.mykit.delay.queue.dispatch.TopicTraffic} for each topic with ready messages. A thread of the topic's channel
 * takes a batch, checks the rows once more and delivers. The {@link io.mykit.delay.queue.dispatch.OutcomeWriter} records and
 * settles the outcomes at the same time as the next batches are delivered.
 */
package io.mykit.delay.queue.dispatch;
