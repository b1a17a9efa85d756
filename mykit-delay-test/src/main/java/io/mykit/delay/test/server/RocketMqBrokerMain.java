package io.mykit.delay.test.server;

import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.BrokerStartup;

/**
 * The broker's own start, and then it tells the name server about itself four times a second: by itself it would need
 * up to ten seconds to be known there, and half a minute after a name server came back.
 */
public final class RocketMqBrokerMain {

    private RocketMqBrokerMain() {}

    /** The arguments of the broker. */
    public static void main(String[] args) throws InterruptedException {
        BrokerController broker = BrokerStartup.start(BrokerStartup.createBrokerController(args));
        while (true) {
            try {
                broker.registerBrokerAll(true, false, true);
            } catch (RuntimeException e) {
                System.err.println("not registered: " + e);
            }
            TimeUnit.MILLISECONDS.sleep(250);
        }
    }
}
