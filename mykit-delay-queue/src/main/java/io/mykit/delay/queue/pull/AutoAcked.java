package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that were finished before their consumer gets them.
 *
 * @param finished these are finished
 * @param unfinished these are not; they go back
 * @param failure why not; null = no failure
 */
record AutoAcked(List<PulledMessage> finished, List<PulledMessage> unfinished, DelayException failure) {
    /** @param results of the acks of these messages, in order */
    static AutoAcked of(List<PulledMessage> messages, List<Settled> results) {
        List<PulledMessage> finished = new ArrayList<>();
        List<PulledMessage> unfinished = new ArrayList<>();
        DelayException failure = null;
        for (int i = 0; i < messages.size(); i++) {
            PulledMessage message = messages.get(i);
            Settled result = results.get(i);
            if (result.failure() != null) {
                failure = result.failure();
                unfinished.add(message);
            } else if (result.result() == SettleResult.DONE) {
                finished.add(message.finished());
            }
        }
        return new AutoAcked(finished, unfinished, failure);
    }
}
