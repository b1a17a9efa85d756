package io.mykit.delay.ports;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.producer.Producers;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What ports of this kind call. Each is thread-safe.
 *
 * @param clock the clock of the cluster
 * @param requests the log of requests, started
 * @param tls empty = plain HTTP
 * @param tokens the tokens that administrators make, started
 * @param version of the server
 */
public record PortBackend(
        Producers producers,
        Consumers consumers,
        Operators operators,
        QueueView view,
        InstantSource clock,
        RequestLog requests,
        Optional<ServerTls> tls,
        TokenTable tokens,
        AuditTrail audit,
        CallLimits limits,
        String version) {}
