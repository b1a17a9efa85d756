package io.mykit.delay.test.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.rocketmq.DelayingMQProducer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;

/** Sends a message that is due in ten seconds. Arguments: the server of mykit-delay, the name server of RocketMQ. */
public class DelayedOrder {
    public static void main(String[] args) throws Exception {
        DelayClient client = DelayClient.builder().endpoint(args[0]).build();
        DefaultMQProducer producer = new DelayingMQProducer("orders", client); // was: new DefaultMQProducer("orders")
        producer.setNamesrvAddr(args[1]);
        producer.start();

        Message message = new Message("orders", "cancel", "order-4711", "order 4711 was not paid".getBytes(UTF_8));
        message.putUserProperty("userId", "7");
        message.setDelayTimeMs(10_000);
        SendResult result = producer.send(message);

        System.out.println("recall it with " + result.getRecallHandle());
        producer.shutdown();
    }
}
