package io.mykit.delay.controller.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.lifecycle.Threads;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopQueueTest {
    private final Vertx vertx = Vertx.vertx();
    private final LoopQueue loop = new LoopQueue(vertx.getOrCreateContext());

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void runsEachTaskOnceAndInOrder() {
        List<Integer> ran = new CopyOnWriteArrayList<>();
        List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
        numbers.forEach(number -> loop.execute(() -> ran.add(number)));
        await().untilAsserted(() -> assertThat(ran).isEqualTo(numbers));
    }

    @Test
    void losesNoTaskBetweenTwoThreads() throws InterruptedException {
        int each = 50_000;
        CountDownLatch ran = new CountDownLatch(2 * each);
        Thread other =
                Threads.daemon("other", () -> IntStream.range(0, each).forEach(number -> loop.execute(ran::countDown)));
        other.start();
        IntStream.range(0, each).forEach(number -> loop.execute(ran::countDown));
        other.join();
        await().until(() -> ran.getCount() == 0);
    }

    @Test
    void goesOnAfterADefect() {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(1);
        loop.execute(() -> {
            await().until(() -> together.getCount() == 0);
            throw new IllegalStateException("a defect");
        });
        loop.execute(ran::countDown);
        together.countDown();
        await().until(() -> ran.getCount() == 0);
    }

    @Test
    void isWokenAgainAfterAWakeUpThatFailed() {
        AtomicInteger wakes = new AtomicInteger();
        Context failsOnce = (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (self, method, arguments) -> {
                    if (wakes.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("a test");
                    }
                    return method.invoke(vertx.getOrCreateContext(), arguments);
                });
        LoopQueue queue = new LoopQueue(failsOnce);
        CountDownLatch ran = new CountDownLatch(2);
        assertThatThrownBy(() -> queue.execute(ran::countDown)).isInstanceOf(OutOfMemoryError.class);
        queue.execute(ran::countDown);
        await().until(() -> ran.getCount() == 0);
    }

    @Test
    void staysOnItsLoop() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        loop.execute(() -> threads.add(Thread.currentThread()));
        await().until(() -> threads.size() == 1);
        loop.execute(() -> threads.add(Thread.currentThread()));
        await().until(() -> threads.size() == 2);
        assertThat(threads.get(0)).isSameAs(threads.get(1)).isNotSameAs(Thread.currentThread());
    }
}
