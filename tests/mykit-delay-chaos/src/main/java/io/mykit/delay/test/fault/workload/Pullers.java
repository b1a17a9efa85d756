package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Pulls;
import io.mykit.delay.test.fault.history.Settling.Kind;
import io.mykit.delay.test.fault.rig.Rig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Consumers that pull from all nodes in turn. By the dice they work, die with a message in their hands, hang for longer than
 * their hold, fail, give back, ask for more time, and bury. Thread-safe.
 */
public final class Pullers implements AutoCloseable {
    /** Shorter than a client waits for an answer. */
    private static final long WAIT_MS = 2_000;

    private static final int SHORTEST_TTR_MS = 2_000;
    private static final int LONGEST_TTR_MS = 6_000;
    private static final int LARGEST_PULL = 5;
    private static final long PAUSE_MS = 150;

    private final Caller caller;
    private final Ledger ledger;
    private final Settler settler;
    private final Queue<HandedOut> handedOut = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService threads;
    private volatile boolean calm;
    private volatile boolean closing;

    /** Begins at once, if there are consumers. */
    public Pullers(Rig rig, int consumers, long seed) {
        ledger = new Ledger();
        caller = new Caller(rig.nodes(), ledger, System::currentTimeMillis);
        settler = new Settler(caller, System::currentTimeMillis);
        // As many again for what is done later.
        threads = Executors.newScheduledThreadPool(2 * consumers + 1, Threads.named("consumer"));
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < consumers; i++) {
            SplittableRandom random = seeds.split();
            threads.execute(() -> pullAndWork(random));
        }
    }

    /** From now on all of them do their work at once. */
    public void calm() {
        calm = true;
    }

    public Pulls pulls() {
        return new Pulls(Rig.PULLED, Rig.PULLED_ATTEMPTS, List.copyOf(handedOut), settler.settlings());
    }

    /** Answers that the contract does not know. */
    public List<String> surprises() {
        return ledger.surprises();
    }

    /** Pulls no more, and waits for what is done later. */
    public void finish() {
        closing = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException("consumers do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finish();
    }

    private void pullAndWork(SplittableRandom random) {
        try {
            while (!closing) {
                List<HandedOut> messages = pull(random);
                if (calm && !messages.isEmpty()) {
                    settler.settle(Kind.ACK, messages, Map.of());
                } else {
                    messages.forEach(message -> begin(message, random));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            ledger.surprised("a consumer died of " + e);
        }
    }

    private List<HandedOut> pull(SplittableRandom random) throws InterruptedException {
        long ttrMs = random.nextLong(SHORTEST_TTR_MS, LONGEST_TTR_MS);
        Map<String, Object> order = Map.of(
                "topic", Rig.PULLED, "count", random.nextInt(1, LARGEST_PULL + 1), "wait", WAIT_MS, "ttr", ttrMs);
        Optional<Answer> answer = caller.once(client -> client.post("/pull", JSON.toJSONString(order)));
        if (answer.isEmpty() || answer.get().status() != 200) {
            answer.filter(other -> other.status() != 429 && other.status() != 503)
                    .ifPresent(other -> ledger.surprised("a pull was answered with " + other.text()));
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return List.of();
        }
        long nowMs = System.currentTimeMillis();
        JSONArray data = answer.get().json().getJSONArray("data");
        List<HandedOut> messages = data.stream()
                .map(each -> handedOut((JSONObject) each, ttrMs, nowMs))
                .toList();
        handedOut.addAll(messages);
        return messages;
    }

    private static HandedOut handedOut(JSONObject message, long ttrMs, long nowMs) {
        long untilMs = message.getLongValue("leaseUntil");
        return new HandedOut(
                message.getString("id"),
                message.getString("topic"),
                message.getString("body"),
                message.getLongValue("dueTime"),
                message.getIntValue("attempt"),
                message.getString("receipt"),
                untilMs - ttrMs,
                untilMs,
                nowMs);
    }

    private void begin(HandedOut message, SplittableRandom random) {
        long leftMs = Math.max(0, message.untilMs() - System.currentTimeMillis());
        int dice = random.nextInt(100);
        if (dice < 55) {
            later(random.nextLong(300), () -> settle(Kind.ACK, message, Map.of()));
        } else if (dice < 65) {
            later(leftMs + random.nextLong(1_500), () -> settle(Kind.ACK, message, Map.of()));
        } else if (dice < 75) {
            Map<String, Object> fields = random.nextBoolean() ? Map.of() : Map.of("delay", random.nextInt(2_000));
            later(random.nextLong(leftMs + 1), () -> settle(Kind.NACK, message, fields));
        } else if (dice < 80) {
            Map<String, Object> fields = random.nextBoolean() ? Map.of() : Map.of("delay", random.nextInt(2_000));
            later(random.nextLong(leftMs + 1), () -> settle(Kind.RELEASE, message, fields));
        } else if (dice < 85) {
            // Beyond the first end of the hold, and before the new one.
            later(leftMs / 2, () -> settle(Kind.EXTEND, message, Map.of("ttr", LONGEST_TTR_MS)));
            later(leftMs + random.nextLong(2_000), () -> settle(Kind.ACK, message, Map.of()));
        } else if (dice < 88) {
            later(random.nextLong(300), () -> settle(Kind.BURY, message, Map.of("detail", "buried by the dice")));
        }
        // The others die with the message in their hands.
    }

    private void settle(Kind kind, HandedOut message, Map<String, ?> fields) throws InterruptedException {
        settler.settle(kind, List.of(message), fields);
    }

    private void later(long delayMs, Call call) {
        try {
            // It takes care of its failures itself.
            Future<?> unused = threads.schedule(
                    () -> {
                        try {
                            call.make();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        } catch (RuntimeException e) {
                            ledger.surprised("a consumer died of " + e);
                        }
                    },
                    delayMs,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The end has come: this consumer dies with the message in its hands.
        }
    }

    private interface Call {
        void make() throws InterruptedException;
    }
}
