package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.commit.BatchWriter;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Extends and releases holds, in the index alone: so an extension never waits for the store. Used by one thread. */
final class HoldLane implements BatchWriter<SettleCall> {
    private final HoldIndex index;
    private final Duration ttr;
    private final PullMeters meters;

    /** @param ttr of extensions that give none */
    HoldLane(HoldIndex index, Duration ttr, PullMeters meters) {
        this.index = index;
        this.ttr = ttr;
        this.meters = meters;
    }

    @Override
    public void commit(List<SettleCall> batch) {
        List<SettleCall> releases = new ArrayList<>();
        Map<Duration, List<SettleCall>> extensions = new LinkedHashMap<>();
        for (SettleCall call : batch) {
            if (call.verb() == Verb.RELEASE) {
                releases.add(call);
            } else {
                Duration asked = call.asked().ttr();
                extensions
                        .computeIfAbsent(asked == null ? ttr : asked, any -> new ArrayList<>())
                        .add(call);
            }
        }
        extensions.forEach((length, calls) -> guarded(calls, () -> extend(calls, length)));
        if (!releases.isEmpty()) {
            guarded(releases, () -> release(releases));
        }
    }

    @Override
    public void fail(SettleCall call, Throwable why) {
        call.fail(why);
    }

    private static void guarded(List<SettleCall> calls, Runnable work) {
        try {
            work.run();
        } catch (IndexUnavailableException e) {
            calls.forEach(call -> call.fail(e));
        } catch (RuntimeException | Error e) {
            calls.forEach(call -> call.fail(e));
            throw e;
        }
    }

    private void extend(List<SettleCall> calls, Duration length) {
        Map<String, Long> ends = index.extend(held(calls), length);
        for (SettleCall call : calls) {
            Long end = ends.get(call.id());
            if (end == null) {
                call.answer(SettleResult.LEASE_LOST);
            } else {
                meters.settled(Verb.EXTEND);
                call.answer(new Settled(call.id(), SettleResult.DONE, true, end, null));
            }
        }
    }

    private void release(List<SettleCall> calls) {
        Set<String> released = index.release(held(calls), true);
        for (SettleCall call : calls) {
            if (released.contains(call.id())) {
                meters.settled(Verb.RELEASE);
                call.answer(SettleResult.DONE);
            } else {
                call.answer(SettleResult.LEASE_LOST);
            }
        }
    }

    private static List<Held> held(List<SettleCall> calls) {
        return calls.stream().map(SettleCall::held).toList();
    }
}
