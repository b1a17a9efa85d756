/**
 * The sockets of a port: it reads requests within bounds of size and time, asks the calls, and writes their answers. Each connection belongs
 * to one event loop of Vert.x. It knows no call.
 */
package io.mykit.delay.ports.http;
