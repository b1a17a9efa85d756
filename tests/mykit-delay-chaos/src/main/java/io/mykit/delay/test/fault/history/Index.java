package io.mykit.delay.test.fault.history;

import java.util.List;
import java.util.Map;

/**
 * What Redis held at the end, all buckets together.
 *
 * @param pool by id
 * @param empty the waiting entries without a message: id and key
 * @param orphans other entries without a message, messages in no place or in two, and outcomes that nobody recorded
 */
public record Index(Map<String, Copy> pool, Map<String, String> empty, List<String> orphans) {}
