package io.mykit.delay.spring.boot;

import io.mykit.delay.spring.rocketmq.DelayingProducers;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;

/** A class of its own, because the client of RocketMQ may be missing. */
final class RocketMqReport {
    private RocketMqReport() {}

    static String text(ListableBeanFactory beans) {
        List<String> producers = beans.getBeanProvider(DelayingProducers.class).stream()
                .flatMap(each -> each.names().stream())
                .toList();
        return producers.isEmpty()
                ? "no producer of RocketMQ is a bean"
                : "delayed messages of " + String.join(", ", producers) + " go to mykit-delay";
    }
}
