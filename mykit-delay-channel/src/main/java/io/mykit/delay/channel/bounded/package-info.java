/**
 * For client libraries that may block longer than the send timeout: their calls run on threads of this package, and the
 * caller gets an answer in time. Batches are cut into parts, and a part that is refused is halved until the message that is to
 * blame is alone. A channel may use this package or not.
 */
package io.mykit.delay.channel.bounded;
