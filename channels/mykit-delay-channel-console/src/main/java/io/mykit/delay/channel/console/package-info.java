/** The channel {@code console}: it prints messages instead of sending them. It is for trying out the server. */
package io.mykit.delay.channel.console;
