/**
 * Operators' calls. A restore or clear of many messages runs on the one {@code http-operator} thread. A restore of one
 * message runs on an {@code http-worker} thread.
 */
package io.mykit.delay.controller.operate;
