/**
 * What channels share that call hosts: places for requests, the circuit of a host that fails, lookups of names and the HTTP client. {@code
 * destination} guards the addresses, and {@code service} finds the instances of services. Threads of the dispatcher begin requests; one event loop of each
 * channel carries them.
 */
package io.mykit.delay.channel.hosts;
