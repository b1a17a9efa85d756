package io.mykit.delay.test.server;

import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.BrokerStartup;
import org.apache.rocketmq.broker.mqtrace.SendMessageContext;
import org.apache.rocketmq.broker.mqtrace.SendMessageHook;
import org.apache.rocketmq.common.AbortProcessException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/**
 * The broker's own start, and then it tells the name server about itself four times a second: by itself it would need
 * up to ten seconds to be known there, and half a minute after a name server came back.
 */
public final class RocketMqBrokerMain {

    private RocketMqBrokerMain() {}

    /** The arguments of the broker. */
    public static void main(String[] args) throws InterruptedException {
        BrokerController broker = BrokerStartup.start(BrokerStartup.createBrokerController(args));
        if (Refusals.arePossible()) {
            broker.registerSendMessageHook(new Moody(Refusals.ofThisProcess()));
        }
        while (true) {
            try {
                broker.registerBrokerAll(true, false, true);
            } catch (RuntimeException e) {
                System.err.println("not registered: " + e);
            }
            TimeUnit.MILLISECONDS.sleep(250);
        }
    }

    /** Refuses some messages for a while, and takes them later. */
    private record Moody(Refusals refusals) implements SendMessageHook {
        @Override
        public String hookName() {
            return "moody";
        }

        @Override
        public void sendMessageBefore(SendMessageContext context) {
            if (refusals.hitsThisOne()) {
                throw new AbortProcessException(ResponseCode.SYSTEM_ERROR, "does not like this one now");
            }
        }

        @Override
        public void sendMessageAfter(SendMessageContext context) {
            // Nothing is to be done then.
        }
    }
}
