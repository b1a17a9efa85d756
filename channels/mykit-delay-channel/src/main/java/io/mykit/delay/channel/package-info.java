/**
 * The SPI of delivery channels: how due messages reach a broker.
 *
 * <p>A jar with a {@link io.mykit.delay.channel.DeliveryChannelFactory} in {@code META-INF/services} adds a channel. The
 * factory declares the keys of its own section in the configuration ({@link io.mykit.delay.channel.ChannelKey}); the
 * channel sends ({@link io.mykit.delay.channel.DeliveryChannel}) and reports the fate of each message
 * ({@link io.mykit.delay.channel.Delivery}, {@link io.mykit.delay.channel.Fates}). The server's own channels are such jars
 * too.
 *
 * <p>A factory is called by the thread that starts the server. Each channel documents the threads that call it.
 */
package io.mykit.delay.channel;
