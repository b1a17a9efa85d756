/**
 * What a request is and how it is answered, whatever API it belongs to: its path, its parameters, its JSON. It knows neither sockets nor the
 * engine. Any thread may use its classes.
 */
package io.mykit.delay.ports.call;
