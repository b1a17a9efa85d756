package io.mykit.delay.controller;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.producer.Producers;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What the HTTP interface calls: the faces of the queue, what people see of it, and the server's own parts. Each is thread-safe.
 *
 * @param view what people see; may block
 * @param clock the clock of the cluster
 * @param elector gives the role in {@code /health}
 * @param checks the parts of {@code /health}; {@code store} decides readiness, {@code loops} decides liveness
 * @param version the version of this build, for a person
 * @param console the server's parts behind the pages for operators
 * @param logging the log of requests, and the levels of loggers; must not block
 * @param traces begins the traces of requests; must not block
 * @param tls empty = plain HTTP
 * @param tokens the tokens that administrators make, started
 * @param audit may block
 * @param limits the limits of callers
 */
public record Backend(
        Producers producers,
        Consumers consumers,
        Operators operators,
        QueueView view,
        InstantSource clock,
        LeaderElector elector,
        List<HealthCheck> checks,
        String version,
        ConsoleParts console,
        Logging logging,
        RequestTraces traces,
        Optional<ServerTls> tls,
        TokenTable tokens,
        AuditTrail audit,
        CallLimits limits) {

    public Backend {
        checks = List.copyOf(checks);
    }
}
