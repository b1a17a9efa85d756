package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import java.util.concurrent.CompletableFuture;

/** One settlement on its way, with the future on which its consumer waits. Only the first answer counts. */
record SettleCall(Verb verb, Settlement asked, Receipt receipt, CompletableFuture<Settled> future) {
    SettleCall(Verb verb, Settlement asked) {
        this(verb, asked, Receipt.parse(asked.receipt()), new CompletableFuture<>());
    }

    String id() {
        return asked.id();
    }

    Held held() {
        return new Held(asked.id(), receipt.hold());
    }

    void answer(SettleResult result) {
        answer(new Settled(id(), result, true, 0, null));
    }

    void answer(Settled settled) {
        future.complete(settled);
    }

    void fail(Throwable why) {
        DelayException known = why instanceof DelayException same
                ? same
                : new DelayException(
                        ErrorCode.INTERNAL, "the call failed because of a defect in the server; send it again", why);
        answer(Settled.failed(id(), known));
    }
}
