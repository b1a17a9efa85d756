/**
 * Sends through client libraries that may block longer than the send timeout. Their calls run on threads of this package,
 * so the caller gets an answer in time. A batch is cut into parts. A part that is refused is halved until the message at
 * fault is alone. The use of this package is optional for a channel.
 */
package io.mykit.delay.channel.bounded;
