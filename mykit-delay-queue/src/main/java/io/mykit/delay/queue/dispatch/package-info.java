/**
 * The leader's way from the ready lists to the brokers. {@link io.mykit.delay.queue.dispatch.Dispatcher} keeps one
 * {@link io.mykit.delay.queue.dispatch.TopicTraffic} per topic with something ready; a thread of its channel's pool takes
 * a batch, looks at the rows once more and delivers; the {@link io.mykit.delay.queue.dispatch.OutcomeWriter} records and
 * settles beside the next batches.
 */
package io.mykit.delay.queue.dispatch;
