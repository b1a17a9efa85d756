package io.mykit.delay.spring.listener;

import io.mykit.delay.spring.DelayedMessage;

/** The work of a listener. */
@FunctionalInterface
interface DelayedHandler {
    void handle(DelayedMessage message) throws Exception;
}
