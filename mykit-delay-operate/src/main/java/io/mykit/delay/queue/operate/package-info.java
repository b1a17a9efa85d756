/**
 * The entrance to what operators see. {@link io.mykit.delay.queue.operate.NodeView} puts it together above a {@code DelayQueue}; the
 * HTTP interface calls {@link io.mykit.delay.queue.operate.QueueView}.
 */
package io.mykit.delay.queue.operate;
