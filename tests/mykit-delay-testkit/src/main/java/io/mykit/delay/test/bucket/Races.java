package io.mykit.delay.test.bucket;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls that begin at the same moment, each on a thread of its own. */
final class Races {
    private Races() {}

    /** Ends when all have ended; throws what one of them throws. */
    static void run(Runnable... calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.length);
        try {
            CountDownLatch go = new CountDownLatch(1);
            List<Future<?>> ends = new ArrayList<>();
            for (Runnable call : calls) {
                ends.add(threads.submit(() -> {
                    go.await();
                    call.run();
                    return null;
                }));
            }
            go.countDown();
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
