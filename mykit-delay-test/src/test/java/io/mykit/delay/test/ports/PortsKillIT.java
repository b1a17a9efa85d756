package io.mykit.delay.test.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ports of lmstfy and Grape on two nodes while a part is killed during publish, consume and ack: each job whose publish was answered is
 * consumed, and no job is handed out after its ack was answered.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PortsKillIT {
    private static final int BEFORE = 200;
    private static final int AFTER = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final List<Integer> lmstfy = List.of(FreePorts.next(), FreePorts.next());
    private final List<Integer> grape = List.of(FreePorts.next(), FreePorts.next());
    private MySqlServer mysql;
    private RedisServer redis;
    private DelayServer one;
    private DelayServer two;

    @BeforeAll
    void start() {
        mysql = MySqlServer.start(dir.resolve("mysql"));
        redis = RedisServer.start(dir.resolve("redis"), "portsKill");
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", mysql.freshDatabase("ports"));
        settings.put("datasource.username", "root");
        settings.put("datasource.timeout", "2s");
        settings.put("queue.name", "ports-" + System.nanoTime());
        settings.put("lmstfy.open", "true");
        one = node(0, settings);
        two = node(1, settings);
        await().atMost(PATIENCE).until(() -> one.isLeader() != two.isLeader());
    }

    private DelayServer node(int number, Map<String, String> settings) {
        String name = "node" + number;
        Map<String, String> own = new HashMap<>(settings);
        own.put("lmstfy.port", "" + lmstfy.get(number));
        own.put("grape.port", "" + grape.get(number));
        return DelayServer.start(name, dir.resolve(name), own);
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {one, two, redis, mysql}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    void aKilledLeaderLosesNothing() throws InterruptedException {
        DelayServer leader = one.isLeader() ? one : two;
        DelayServer other = one.isLeader() ? two : one;
        during("leader", () -> {
            leader.kill();
            await().atMost(PATIENCE).until(other::isLeader);
        });
        leader.restart();
    }

    @Test
    void aKilledRedisLosesNothing() throws InterruptedException {
        during("redis", () -> {
            redis.kill();
            redis.restart();
        });
    }

    @Test
    void aKilledDatabaseLosesNothing() throws InterruptedException {
        during("database", () -> {
            mysql.kill();
            mysql.restart();
        });
    }

    @Test
    void anAckAtTheOtherNodeEndsTheHold() throws IOException {
        try (RawHttp here = new RawHttp(lmstfy.get(0));
                RawHttp there = new RawHttp(lmstfy.get(1))) {
            assertThat(here.ask("PUT /api/shop/held?tries=3", "", "theirs").status())
                    .isEqualTo(201);
            String job =
                    here.ask("GET /api/shop/held?ttr=600&timeout=5", "", "").body();
            String id = JSON.parseObject(job).getString("job_id");
            assertThat(queue("lm/shop/held")).contains("\"taken\":1");

            assertThat(there.ask("DELETE /api/shop/held/job/" + id, "", "")).hasToString("204 ");

            assertThat(queue("lm/shop/held")).as("Redis has forgotten it").isEqualTo("[]");
        }
    }

    @Test
    void nodesShareTubesAndJobs() throws IOException {
        try (RawHttp here = new RawHttp(grape.get(0));
                RawHttp there = new RawHttp(grape.get(1))) {
            assertThat(here.ask("POST /api/tube/create?tube=shared", "", "")).hasToString("200 true");
            assertThat(there.ask("POST /api/job/produce?tube=shared&jid=a&ttr=600000", "", "theirs"))
                    .hasToString("200 true");
            assertThat(there.ask("POST /api/job/produce?tube=shared&jid=b&ttr=600000", "", "theirs"))
                    .hasToString("200 true");
            assertThat(JSON.parseArray(here.ask("GET /api/job/consume?tube=shared&max=5", "", "")
                            .body()))
                    .hasSize(2);
            assertThat(there.ask("GET /api/job/consume?tube=shared&max=5", "", ""))
                    .hasToString("200 []");

            assertThat(there.ask("DELETE /api/job/finish?tube=shared&jid=a", "", ""))
                    .hasToString("200 true");
            assertThat(here.ask("DELETE /api/job/finish?tube=shared&jid=a", "", ""))
                    .hasToString("200 false");
            assertThat(there.ask("DELETE /api/job/finish?tube=shared&jid=b", "", ""))
                    .hasToString("200 true");
            assertThat(queue("grape/shared")).doesNotContain("\"taken\":1", "\"taken\":2");
        }
    }

    /** What the index knows of a topic. */
    private String queue(String topic) {
        return one.client().get("/topics?prefix=" + topic).data();
    }

    /** The programs of both APIs run at the same time. */
    private void during(String queue, Runnable fault) throws InterruptedException {
        try (RawHttp port = new RawHttp(grape.get(0))) {
            assertThat(port.ask("POST /api/tube/create?tube=" + queue, "", "")).hasToString("200 true");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (PortTraffic ofLmstfy = new PortTraffic(lmstfy, PortSpeech.lmstfy(queue, PortTraffic.TTR_SECONDS));
                PortTraffic ofGrape = new PortTraffic(grape, PortSpeech.grape(queue, PortTraffic.TTR_SECONDS))) {
            List<PortTraffic> both = List.of(ofLmstfy, ofGrape);
            await().atMost(PATIENCE).until(() -> both.stream().allMatch(each -> each.isBeyond(BEFORE, BEFORE / 2)));
            fault.run();
            int[] aims = both.stream()
                    .flatMapToInt(each -> IntStream.of(each.published() + AFTER, each.ended() + AFTER))
                    .toArray();
            await().atMost(PATIENCE)
                    .until(() -> ofLmstfy.isBeyond(aims[0], aims[1]) && ofGrape.isBeyond(aims[2], aims[3]));
            for (PortTraffic each : both) {
                each.stopProducers();
            }
            await().atMost(PATIENCE).until(() -> both.stream().allMatch(PortTraffic::isConsumed));
            for (PortTraffic each : both) {
                each.drain();
                assertThat(each.faults()).isEmpty();
            }
        }
    }
}
