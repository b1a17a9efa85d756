package io.mykit.delay.controller.push;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.producer.CheckedPush;
import java.time.Duration;

/**
 * A valid push. Immutable.
 *
 * @param longestWait how long the producer waits for the end of the message; zero = not at all
 */
record PushRequest(CheckedPush checked, Duration longestWait) {
    DelayMessage message() {
        return checked.message();
    }
}
