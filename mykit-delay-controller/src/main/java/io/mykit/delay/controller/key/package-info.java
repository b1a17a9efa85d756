/**
 * Calls on all unfinished messages of one topic and business key: the search for them, and the single call for each. They block on threads
 * of their own, so that no call about one message waits for them.
 */
package io.mykit.delay.controller.key;
