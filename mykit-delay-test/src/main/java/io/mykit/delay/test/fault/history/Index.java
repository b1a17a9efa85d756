package io.mykit.delay.test.fault.history;

import java.util.List;
import java.util.Set;

/**
 * What Redis held at the end, all buckets together.
 *
 * @param pool ids that have a message
 * @param orphans entries without a message, messages in no place or in two, and outcomes that nobody recorded
 */
public record Index(Set<String> pool, List<String> orphans) {}
