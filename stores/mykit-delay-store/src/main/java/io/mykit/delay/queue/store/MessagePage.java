package io.mykit.delay.queue.store;

import java.util.List;

/**
 * A page of messages. The sizes of the bodies bound its length.
 *
 * @param rows in the order of due time and id. A row that changed while its body was read is left out
 * @param last true if no row came after this page when the page was read
 */
public record MessagePage(List<StoredMessage> rows, boolean last) {}
