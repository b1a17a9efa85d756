package io.mykit.delay.spring.example;

import io.mykit.delay.spring.TaskWorker;
import org.springframework.stereotype.Component;

/** In the application shop it listens to the topic shop/close-order. */
@Component
public class CloseOrder implements TaskWorker {
    /** May be called twice with the same order, by several threads. */
    @Override
    public void invoke(String params) {
        System.out.println("closing order " + params);
    }

    @Override
    public String type() {
        return "close-order";
    }

    @Override
    public Class<?> clazz() {
        return CloseOrder.class;
    }
}
