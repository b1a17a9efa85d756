/** Prints messages instead of sending them: for trying out. */
package io.mykit.delay.channel.console;
