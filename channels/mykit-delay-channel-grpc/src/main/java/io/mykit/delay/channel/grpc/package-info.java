/**
 * The channel {@code grpc}: each message is one unary call of the method that the section or the message names; its body is the request message.
 * The calls go over the HTTP client of {@link io.mykit.delay.channel.hosts}, one event loop carries them, and threads of the dispatcher begin them.
 */
package io.mykit.delay.channel.grpc;
