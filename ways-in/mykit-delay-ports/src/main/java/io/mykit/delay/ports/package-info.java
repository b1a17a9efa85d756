/**
 * What ports have in common that speak the API of another queue: their sockets, their requests and answers, and what they ask of the engine.
 * Each such API is a guest of the engine's entrance with a module of its own, which knows none of the others. {@code PortBackend} is what
 * the server gives to a guest, and {@code PortGuest} what it starts.
 */
package io.mykit.delay.ports;
