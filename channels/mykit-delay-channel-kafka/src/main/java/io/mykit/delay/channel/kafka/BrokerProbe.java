package io.mykit.delay.channel.kafka;

import io.mykit.delay.common.health.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;

/** Asks a broker for the brokers of its cluster. Any account may ask that. Thread-safe. */
final class BrokerProbe implements Callable<Health> {
    /** Below the time that a health check has. */
    private static final int TIMEOUT_MS = 700;

    private final Clients clients;

    BrokerProbe(Clients clients) {
        this.clients = clients;
    }

    @Override
    public Health call() throws InterruptedException {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("bootstrapServers", clients.properties().bootstrapServers());
        try {
            var nodes = clients.get()
                    .get(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .admin()
                    .describeCluster(new DescribeClusterOptions().timeoutMs(TIMEOUT_MS))
                    .nodes();
            details.put("brokers", nodes.get(TIMEOUT_MS, TimeUnit.MILLISECONDS).size());
            return new Health(true, details);
        } catch (ExecutionException e) {
            details.put("reason", reason(e.getCause()));
        } catch (java.util.concurrent.TimeoutException e) {
            details.put("reason", reason(e));
        } catch (KafkaException | IllegalStateException e) {
            details.put("reason", SendFaults.reason(e));
        }
        return new Health(false, details);
    }

    /** A broker that wants TLS or an account only closes the connection: the client library knows nothing more. */
    private static String reason(Throwable thrown) {
        boolean silent =
                thrown instanceof java.util.concurrent.TimeoutException || thrown.getClass() == TimeoutException.class;
        return silent
                ? "no broker answers within " + TIMEOUT_MS
                        + " ms (is one running there, and does it want TLS or an account?)"
                : SendFaults.reason(thrown);
    }
}
