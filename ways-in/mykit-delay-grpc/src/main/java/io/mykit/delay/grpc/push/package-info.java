/** The calls that push one message or many. The event loop reads a single push, a {@code grpc-worker} thread a batch. */
package io.mykit.delay.grpc.push;
