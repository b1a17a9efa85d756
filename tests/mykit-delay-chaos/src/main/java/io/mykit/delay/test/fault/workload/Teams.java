package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Team;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The namespaces of the teams, and what their members were answered. A thread for each team pulls. Thread-safe. */
final class Teams implements AutoCloseable {
    private static final long KNOWN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MS = 100;

    private final Queue<Shown> shown = new ConcurrentLinkedQueue<>();
    private final List<Member> members;
    private final ExecutorService pulling;
    private volatile boolean closing;

    /** Makes namespaces and tokens; returns when each node knows them. */
    Teams(List<Node> nodes, Ledger ledger, LongSupplier clock, long maxDelayMs) {
        members = Team.ALL.stream()
                .map(team -> {
                    Caller caller = new Caller(nodes, ledger, clock, token(team, nodes));
                    return new Member(team, caller, ledger, clock, maxDelayMs, this);
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
        return List.copyOf(shown);
    }

    /** An answer to a team, with what it may not have. */
    void shown(Team team, String call, Answer answer, List<String> forbidden) {
        String foreign = forbidden.stream()
                .filter(each -> answer.text().contains(each))
                .findFirst()
                .map(each -> each + " in " + answer.text())
                .orElse("");
        shown.add(new Shown(team.name(), call, foreign));
    }

    /** What only the messages of others have. */
    static List<String> marksOfOthers(Team team) {
        return Stream.concat(
                        Team.ALL.stream().filter(other -> !other.equals(team)).map(Team::mark),
                        Stream.of("body of m", "body of p"))
                .toList();
    }

    /** The same, and names that only others may see. */
    static List<String> namesOfOthers(Team team) {
        Stream<String> names = Stream.concat(
                Team.ALL.stream().map(each -> each.full("")),
                Stream.concat(Mix.PRODUCED.stream(), Stream.of(Rig.PULLED, Rig.CROWD, Rig.CALLBACKS))
                        .map(topic -> '"' + topic + '"'));
        return Stream.concat(marksOfOthers(team).stream(), names).toList();
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
