/**
 * One call from its first byte to its answer: access, bounds, the message's bytes, the handler, the metrics. Event loops begin calls; any
 * thread may answer one.
 */
package io.mykit.delay.grpc.call;
