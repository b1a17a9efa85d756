package io.mykit.delay.test.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;

public final class RocketMqConsumer {
    public static void main(String[] args) throws Exception {
        DefaultMQPushConsumer orders = new DefaultMQPushConsumer("order-timeouts");
        orders.setNamesrvAddr("127.0.0.1:9876");
        orders.subscribe("orders", "*");
        orders.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            messages.forEach(message ->
                    System.out.println(message.getUserProperty("id") + ": " + new String(message.getBody(), UTF_8)));
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        orders.start();
    }
}
