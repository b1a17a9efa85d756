/**
 * The calls of the public port: publish, consume, ack and the rest. Each becomes calls of the faces of the engine. The event loops of the
 * port call in; what blocks runs on the workers of this guest.
 */
package io.mykit.delay.lmstfy.queue;
