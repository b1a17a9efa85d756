/**
 * Putting things back: the {@link io.mykit.delay.queue.recovery.Restorer} from the store into the index, at an
 * operator's word or when the index was lost.
 */
package io.mykit.delay.queue.recovery;
