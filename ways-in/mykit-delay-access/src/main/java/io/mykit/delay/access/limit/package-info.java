/**
 * The limits of callers that hold in the whole queue: rates of tokens and namespaces, and the bounds of a namespace. Each way in asks {@link
 * io.mykit.delay.access.limit.CallLimits}. Event loops ask and never block; one loop takes shares of the rates from Redis.
 */
package io.mykit.delay.access.limit;
