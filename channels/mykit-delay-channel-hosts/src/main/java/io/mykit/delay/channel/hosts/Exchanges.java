package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Outgoing;

/** Makes the attempts of one channel. Thread-safe. */
@FunctionalInterface
public interface Exchanges {
    HostExchange of(Outgoing outgoing, Request request);
}
