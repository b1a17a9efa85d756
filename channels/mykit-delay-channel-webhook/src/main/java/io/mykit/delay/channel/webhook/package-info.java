/**
 * The channel {@code webhook}: each message is one HTTP request to the URL of the section, or to the target that the
 * message names. One event loop of its own carries all exchanges; threads of its own resolve names. Threads of the
 * dispatcher begin the sends.
 */
package io.mykit.delay.channel.webhook;
