package io.mykit.delay.client;

/**
 * The work of a {@link DelayConsumer}.
 *
 * <table>
 * <caption>What becomes of the message</caption>
 * <tr><th>the handler</th><th>the message</th></tr>
 * <tr><td>returns</td><td>is finished (ack)</td></tr>
 * <tr><td>throws {@link RejectMessageException}</td><td>is a dead letter at once (bury)</td></tr>
 * <tr><td>throws {@link RetryLaterException}</td><td>comes again after that delay; the attempt counts (nack)</td></tr>
 * <tr><td>throws anything else</td><td>comes again after the gap of its policy; the attempt counts (nack)</td></tr>
 * </table>
 *
 * <p>A message may come twice around a fault, with the same id: after a lost answer, or after a lost lease. So a handler
 * remembers the ids of finished work, or does work that may be done twice.
 */
@FunctionalInterface
public interface MessageHandler {
    /** Called on several threads at once, as many as the {@code concurrency} of the consumer. */
    void handle(PulledMessage message) throws Exception;
}
