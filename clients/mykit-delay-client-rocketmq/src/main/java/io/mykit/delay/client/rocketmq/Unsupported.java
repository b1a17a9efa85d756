package io.mykit.delay.client.rocketmq;

/** Ways of sending that a delayed message cannot go. */
public enum Unsupported {
    CHOSEN_QUEUE("to a chosen queue: the queue is chosen when it is due"),
    REQUEST("as a request: nobody would wait for the reply"),
    TRANSACTION("in a transaction of RocketMQ: it would not wait for the commit");

    final String text;

    Unsupported(String text) {
        this.text = text;
    }
}
