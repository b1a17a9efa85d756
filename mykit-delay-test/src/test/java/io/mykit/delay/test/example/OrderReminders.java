package io.mykit.delay.test.example;

import io.mykit.delay.client.kafka.DelayInterceptor;
import io.mykit.delay.client.kafka.Delayed;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

public final class OrderReminders {
    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, args[0],
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName(),
                // The one new line.
                ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, DelayInterceptor.class.getName());

        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
            ProducerRecord<String, String> record =
                    new ProducerRecord<>("orders", "customer-7", "order 4711 was not paid");
            producer.send(Delayed.delay(record, Duration.ofSeconds(2))).get();
            System.out.println("sent");
        }
    }
}
