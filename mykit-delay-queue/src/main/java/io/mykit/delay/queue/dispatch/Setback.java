package io.mykit.delay.queue.dispatch;

import java.util.List;

/**
 * A topic begins to back off.
 *
 * @param failures how many failures in a row, this one included; as before if the node itself stood still
 * @param recalled messages that were handed over and are in no batch; they must be given back
 */
record Setback(int failures, List<Leased> recalled) {}
