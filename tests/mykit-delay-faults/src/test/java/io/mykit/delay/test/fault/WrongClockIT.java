package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.fault.agent.AgentJar;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, one five minutes ahead of the time and one behind it, each of which leads for a while. */
@Tag("long")
class WrongClockIT {
    private static final Duration SKEW = Duration.ofMinutes(5);
    private static final Duration LATE = Duration.ofSeconds(10);
    private static final String NAME = "wrong-clock";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** By this machine's clock, which Redis goes by. */
    private final Map<String, Long> pushedMs = new HashMap<>();

    @Test
    void nothingIsEarlyAndNothingLateWhoeverLeads() {
        try (Inbox inbox = ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), NAME);
                DelayServer ahead = start("ahead", SKEW)) {
            await().atMost(Duration.ofSeconds(20)).until(ahead::isLeader);
            try (DelayServer behind = start("behind", SKEW.negated())) {
                pushThrough(ahead, behind);
                judge(inbox);
                ahead.terminate();
                await().atMost(Duration.ofSeconds(20)).until(behind::isLeader);
                pushThrough(behind);
                judge(inbox);
            }
        }
    }

    private void pushThrough(DelayServer... nodes) {
        for (DelayServer node : nodes) {
            DelayClient client = node.client();
            for (int delayMs = 0; delayMs <= 2_000; delayMs += 100) {
                String id = "m" + pushedMs.size();
                pushedMs.put(id, System.currentTimeMillis() + delayMs);
                assertThat(client.push(Map.of("topic", NAME, "id", id, "delay", delayMs))
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    private void judge(Inbox inbox) {
        inbox.awaitExactly(pushedMs.size(), Duration.ofSeconds(20));
        for (Arrival arrival : inbox.arrivals()) {
            long afterMs = arrival.arrivedAtMs() - pushedMs.get(arrival.id());
            assertThat(afterMs).as("%s after it was meant to arrive", arrival).isBetween(0L, LATE.toMillis());
            assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs());
        }
    }

    private DelayServer start(String name, Duration skew) {
        String agent = "-javaagent:" + AgentJar.write(dir) + "=aheadMs=" + skew.toMillis();
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("http.drain", "0s");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", SharedServers.redis().uri());
        settings.put("datasource.url", databaseUrl);
        settings.put("datasource.username", "root");
        settings.put("activemq.broker-url", SharedServers.activeMq().url());
        settings.put("queue.name", NAME);
        return DelayServer.start(name, dir.resolve(name), settings, "-Xmx128m " + agent);
    }

    private final String databaseUrl = SharedServers.mysql().freshDatabase("wrong_clock");
}
