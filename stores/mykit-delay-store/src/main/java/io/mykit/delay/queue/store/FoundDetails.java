package io.mykit.delay.queue.store;

/**
 * The part of a found row for which the database may have to read long columns.
 *
 * @param bodyBytes the bytes of the body as the consumer gets it
 * @param requestId the id of the request that brought the content; empty = none
 */
public record FoundDetails(long bodyBytes, String requestId) {}
