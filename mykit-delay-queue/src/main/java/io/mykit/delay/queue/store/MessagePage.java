package io.mykit.delay.queue.store;

import java.util.List;

/**
 * A page of messages, as long as its bodies allow.
 *
 * @param rows by due time and id; a row that changed while its body was read is left out
 * @param last whether nothing came after this page when it was read
 */
public record MessagePage(List<StoredMessage> rows, boolean last) {}
