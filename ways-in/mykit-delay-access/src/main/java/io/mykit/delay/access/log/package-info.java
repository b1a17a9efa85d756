/**
 * The log of requests, which HTTP and gRPC share. Event loops put lines into a ring and never wait. One thread writes them.
 */
package io.mykit.delay.access.log;
