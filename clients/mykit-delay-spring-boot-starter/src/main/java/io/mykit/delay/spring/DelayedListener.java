package io.mykit.delay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method of a bean handle the messages of a topic.
 *
 * <pre>{@code
 * @DelayedListener(topic = "orders", concurrency = 4)
 * void expire(Order order, @DelayedHeader("attempt") int attempt) { ... }
 * }</pre>
 *
 * <p>A parameter is one of these, in any order and number, but with one body at most:
 *
 * <ul>
 *   <li>a {@link DelayedMessage}: the whole message
 *   <li>a parameter with {@link DelayedHeader}: a field or a header of the message
 *   <li>a {@code String} or {@code byte[]}: the body as it is
 *   <li>any other type: the body, read as JSON by the ObjectMapper of the application
 * </ul>
 *
 * <table>
 * <caption>The message after the method</caption>
 * <tr><th>the method</th><th>{@link Mode#PULL}</th><th>{@link Mode#PUSH}</th></tr>
 * <tr><td>returns nothing, or null</td><td>ack</td><td>204</td></tr>
 * <tr><td>returns a value</td><td>ack; the value is the result of the message</td><td>200 with the value</td></tr>
 * <tr><td>throws RejectMessageException</td><td>bury: a dead letter at once</td><td>410</td></tr>
 * <tr><td>throws RetryLaterException</td><td>nack with its delay</td><td>500; the delay is not carried</td></tr>
 * <tr><td>throws anything else</td><td>nack</td><td>500</td></tr>
 * </table>
 *
 * <p>A body that is not of the parameter's type is rejected before the method is called, unless {@code
 * mykit.delay.client.listener.unreadable-body} is {@code retry}.
 *
 * <p>A result is a {@code String} or {@code byte[]} as it is, or any other value as JSON, of at most 64 KiB. With {@link
 * Mode#PUSH} the server keeps it if {@code mykit.delay.webhook.keep-result} is set.
 *
 * <p>A message may come twice around a fault, with the same id.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayedListener {
    /** May contain placeholders such as {@code ${orders.topic}}. A topic has one listener. */
    String topic();

    /** The number of messages at the same time, for {@link Mode#PULL}; 0 = {@code mykit.delay.client.concurrency}. */
    int concurrency() default 0;

    /**
     * The time after which a message is in other hands if this process dies, for {@link Mode#PULL}, such as {@code 60s}. It
     * may contain placeholders; empty = {@code mykit.delay.client.ttr}.
     */
    String ttr() default "";

    Mode mode() default Mode.PULL;
}
