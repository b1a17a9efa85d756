/**
 * The client of mykit-delay for Java applications. {@link io.mykit.delay.client.DelayClient} is the begin of everything: it
 * pushes, cancels and finds messages, pulls and settles them, and starts a {@link io.mykit.delay.client.DelayConsumer}.
 * {@link io.mykit.delay.client.WebhookVerifier} checks the requests of the channel {@code webhook}.
 *
 * <p>It needs a JDK of version 17 or newer and nothing else, and uses no reflection. A value is checked by the server, and no
 * second time here: a refused value is a {@link io.mykit.delay.client.DelayRequestException} whose message names the field.
 *
 * <p>Clients and consumers are thread-safe, values are immutable.
 */
package io.mykit.delay.client;
