package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.commit.BatchWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settles messages whose rows change: many in one transaction. Used by one thread. */
final class RowLane implements BatchWriter<SettleCall> {
    private static final int TRIES = 4;

    private final RowSettler settler;

    RowLane(RowSettler settler) {
        this.settler = settler;
    }

    @Override
    public void commit(List<SettleCall> batch) {
        try {
            for (List<SettleCall> round : rounds(batch)) {
                settle(round);
            }
        } catch (DelayException e) {
            batch.forEach(call -> call.fail(e));
        } catch (RuntimeException | Error e) {
            batch.forEach(call -> call.fail(e));
            throw e;
        }
    }

    @Override
    public void fail(SettleCall call, Throwable why) {
        call.fail(why);
    }

    private void settle(List<SettleCall> round) {
        List<SettleCall> left = round;
        for (int attempt = 0; attempt < TRIES && !left.isEmpty(); attempt++) {
            left = settler.settle(left);
        }
        left.forEach(call -> call.fail(new DelayException(
                ErrorCode.BUSY, "message " + call.id() + " is being changed by other calls; try again")));
    }

    /** Two calls on one message come one after the other, each in a round of its own. */
    private static List<List<SettleCall>> rounds(List<SettleCall> batch) {
        List<List<SettleCall>> rounds = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (SettleCall call : batch) {
            int round = seen.merge(call.id(), 1, Integer::sum) - 1;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(call);
        }
        return rounds;
    }
}
