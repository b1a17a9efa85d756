/**
 * The gRPC interface: the service {@code mykit.delay.v1.DelayService}, health and reflection. It is a guest of the engine beside HTTP and
 * knows its faces for producers and consumers alone. Without a port no class of it is loaded. Event loops of Netty call it.
 */
package io.mykit.delay.grpc;
