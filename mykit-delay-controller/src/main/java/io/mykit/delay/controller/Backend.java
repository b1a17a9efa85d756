package io.mykit.delay.controller;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.controller.pull.TopicParts;
import io.mykit.delay.controller.push.Intake;
import io.mykit.delay.controller.search.SearchParts;
import io.mykit.delay.controller.trace.RequestTraces;
import io.mykit.delay.queue.cancel.CancelResult;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.intake.PushRules;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.outcome.Awaiting;
import io.mykit.delay.queue.pull.PullSettings;
import io.mykit.delay.queue.pull.Pulling;
import io.mykit.delay.queue.query.MessageView;
import io.mykit.delay.queue.recovery.ClearOrder;
import io.mykit.delay.queue.recovery.ClearReport;
import io.mykit.delay.queue.recovery.DeadLettering;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.Restoring;
import io.mykit.delay.queue.topic.TopicPausing;
import io.mykit.delay.queue.topic.TopicRetrying;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The parts of the server that the HTTP interface calls. Each function is thread-safe and has the contract of the method
 * named here.
 *
 * @param push {@code MessageIntake::push}; must not block
 * @param rules what makes a push valid
 * @param cancel {@code CountedCancels::cancel}: by the id and the caller; may block
 * @param lookup {@code MessageLookup::find}; may block
 * @param restorer {@code Restorer}; may block
 * @param clear {@code Clearer::clear}; may block
 * @param dead {@code DeadLetters}; may block
 * @param recovery the progress of a walk that an operator started, and the way to stop it
 * @param pulling hands messages out to consumers and settles them; must not block
 * @param pull the limits of pulling; those of waiting are the same
 * @param awaiting tells when messages have ended; must not block
 * @param topics the parts behind the calls that show topics; may block
 * @param pausing {@code TopicPauses}; may block
 * @param retrying {@code DeliveryDuty}; may block
 * @param routes {@code Channels::route}; must not block
 * @param clock the clock of the cluster
 * @param elector gives the role in {@code /health}
 * @param checks the parts of {@code /health}; {@code store} decides readiness, {@code loops} decides liveness
 * @param version the version of this build, for a person
 * @param console the parts behind the pages for operators
 * @param search the parts behind the calls that find messages
 * @param logging the log of requests, and the levels of loggers; must not block
 * @param traces begins the traces of requests; must not block
 */
public record Backend(
        Intake push,
        PushRules rules,
        BiFunction<String, String, CancelResult> cancel,
        Function<String, Optional<MessageView>> lookup,
        Restoring restorer,
        Function<ClearOrder, ClearReport> clear,
        DeadLettering dead,
        RecoveryBoard recovery,
        Pulling pulling,
        PullSettings pull,
        Awaiting awaiting,
        TopicParts topics,
        TopicPausing pausing,
        TopicRetrying retrying,
        Function<DelayMessage, MessageRoute> routes,
        InstantSource clock,
        LeaderElector elector,
        List<HealthCheck> checks,
        String version,
        ConsoleParts console,
        SearchParts search,
        Logging logging,
        RequestTraces traces) {

    public Backend {
        checks = List.copyOf(checks);
    }
}
