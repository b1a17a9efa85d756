/**
 * The traces of requests: the context that a client sends, and the spans of the calls of producers and consumers. Event loops
 * begin and end them; threads that answer requests add to them.
 */
package io.mykit.delay.access.trace;
