package io.mykit.delay.spring.listener;

import io.mykit.delay.client.Body;
import io.mykit.delay.spring.DelayedMessage;

/** The work of a listener. */
@FunctionalInterface
interface DelayedHandler {
    /** Returns the result; null = none. */
    Body handle(DelayedMessage message) throws Exception;
}
