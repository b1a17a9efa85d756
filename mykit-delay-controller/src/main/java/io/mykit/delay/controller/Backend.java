package io.mykit.delay.controller;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.controller.operate.Restoring;
import io.mykit.delay.controller.push.Intake;
import io.mykit.delay.queue.cancel.CancelResult;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.query.MessageView;
import io.mykit.delay.queue.recovery.ClearOrder;
import io.mykit.delay.queue.recovery.ClearReport;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The parts of the server that the HTTP interface asks. Each function is thread-safe, and means what the method says that it
 * stands for.
 *
 * @param push {@code MessageIntake::push}; must not block
 * @param cancel {@code MessageCanceller::cancel}; may block
 * @param lookup {@code MessageLookup::find}; may block
 * @param restorer {@code Restorer}; may block
 * @param clear {@code Clearer::clear}; may block
 * @param recovery how far a restore or clear has come, and the way to stop it
 * @param objection why the channel of the message's topic could never deliver it; must not block
 * @param ids {@code MessageIds::next}, for producers that give none
 * @param clock the cluster's
 * @param elector tells the role in {@code /health}
 * @param checks the parts of {@code /health}; {@code store} decides about readiness, {@code loops} about liveness
 * @param version of this build, for a person
 */
public record Backend(
        Intake push,
        Function<String, CancelResult> cancel,
        Function<String, Optional<MessageView>> lookup,
        Restoring restorer,
        Function<ClearOrder, ClearReport> clear,
        RecoveryBoard recovery,
        Function<DelayMessage, Optional<String>> objection,
        Supplier<String> ids,
        InstantSource clock,
        LeaderElector elector,
        List<HealthCheck> checks,
        String version) {

    public Backend {
        checks = List.copyOf(checks);
    }
}
