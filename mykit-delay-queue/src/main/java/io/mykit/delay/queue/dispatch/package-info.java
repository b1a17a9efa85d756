/**
 * The leader's way from the ready lists to the brokers. {@link io.mykit.delay.queue.dispatch.Dispatcher} keeps one
 * {@link io.mykit.delay.queue.dispatch.TopicLanes} per topic with something ready; each lane (a topic in a bucket) is
 * worked by one thread of its channel's pool at a time: take, look at the rows once more, deliver, record, settle.
 */
package io.mykit.delay.queue.dispatch;
