/**
 * The entrance to the engine. {@link io.mykit.delay.queue.DelayQueue} puts it together and gives its three faces: {@code producer}, {@code
 * consumer} and {@code operator}. Other modules see these packages, {@code delivery}, {@code state}, {@code series} and {@code trace}, and
 * nothing else of the engine.
 */
package io.mykit.delay.queue;
