package io.mykit.delay.controller.push;

import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;

/**
 * A valid push. Immutable.
 *
 * @param replace whether the push may replace a message with this id that is not due yet
 * @param longestWait how long the producer waits for the end of the message; zero = not at all
 */
record PushRequest(DelayMessage message, boolean replace, Duration longestWait) {}
