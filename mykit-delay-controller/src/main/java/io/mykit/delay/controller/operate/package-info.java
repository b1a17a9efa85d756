/**
 * Operators' calls. A call on many messages runs on the one {@code http-operator} thread. A call on one message, and
 * the lists of dead letters, run on an {@code http-worker} thread.
 */
package io.mykit.delay.controller.operate;
