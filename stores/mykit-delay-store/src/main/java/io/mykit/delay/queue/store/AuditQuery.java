package io.mykit.delay.queue.store;

import java.util.Optional;

/**
 * Which rows of the audit are asked for.
 *
 * @param before the id of the last row of the page before; empty = the newest rows come first
 * @param sinceMs no older ones; 0 = all
 */
public record AuditQuery(String before, long sinceMs, Optional<String> action, Optional<String> actor) {}
