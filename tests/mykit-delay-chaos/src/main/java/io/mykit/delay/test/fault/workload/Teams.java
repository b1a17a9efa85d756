package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Team;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The namespaces of the teams, and what their members were answered. A thread for each team pulls. Thread-safe. */
final class Teams implements AutoCloseable {
    private static final long KNOWN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MS = 100;

    private final TeamLog log = new TeamLog();
    private final List<Member> members;
    private final ExecutorService pulling;
    private volatile boolean closing;

    /** Makes namespaces and tokens; returns when each node knows them. */
    Teams(List<Node> nodes, Ledger ledger, LongSupplier clock, long maxDelayMs) {
        members = Team.ALL.stream()
                .map(team -> {
                    Caller caller = new Caller(nodes, ledger, clock, token(team, nodes));
                    return new Member(team, caller, ledger, clock, maxDelayMs, log);
                })
                .toList();
        pulling = Executors.newFixedThreadPool(members.size(), Threads.named("team"));
        members.forEach(member -> pulling.execute(() -> pull(member, ledger)));
    }

    private void pull(Member member, Ledger ledger) {
        try {
            while (!closing) {
                member.pull();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            ledger.surprised("a consumer of a team died of " + e);
        }
    }

    /** Pulls no more, and waits for the last answers. */
    @Override
    public void close() {
        closing = true;
        pulling.shutdown();
        try {
            if (!pulling.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the consumers of the teams do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    List<Member> members() {
        return members;
    }

    List<Shown> shown() {
        return log.shown();
    }

    private static String token(Team team, List<Node> nodes) {
        DelayClient admin = nodes.get(0).client();
        post(admin, "/namespaces", Map.of("name", team.name()));
        String token = post(admin, "/tokens", Map.of("namespace", team.name(), "roles", List.of("operator")))
                .getString("token");
        nodes.forEach(node -> awaitKnown(node.client().withToken(token)));
        return token;
    }

    private static JSONObject post(DelayClient client, String path, Map<String, ?> body) {
        Answer answer = client.post(path, JSON.toJSONString(body));
        if (answer.status() != 200) {
            throw new IllegalStateException(path + " was answered with " + answer.text());
        }
        return answer.json().get("data") instanceof JSONObject data ? data : null;
    }

    private static void awaitKnown(DelayClient client) {
        long begin = System.nanoTime();
        while (client.get("/whoami").status() != 200) {
            if (System.nanoTime() - begin > KNOWN_WITHIN_NANOS) {
                throw new IllegalStateException("a node does not learn of a new token");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
