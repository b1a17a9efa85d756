/**
 * The destinations of requests, and the rules for those that a message names: the patterns of {@code targets} and the
 * addresses that are closed. Values without state; any thread.
 */
package io.mykit.delay.channel.hosts.destination;
