package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.rig.Team;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Works with the token of a team: pushes and pulls, looks at pages, and tries to change the messages of the others. The ids of all teams
 * are the same. Messages for the broker are in the ledger, by the names of the queue. Thread-safe.
 */
final class Member {
    private static final int PULLED_PERCENT = 30;
    private static final Map<String, Object> PULL =
            Map.of("topic", Team.PULLED, "count", 10, "wait", 1_000, "ttr", 30_000);
    private static final List<String> PAGES = List.of(
            "/messages?status=WAIT_PUT,DELAY,READY,FINISH&limit=200",
            "/messages?topic=" + Team.DELIVERED,
            "/messages?topicPrefix=o",
            "/messages?idPrefix=t10",
            "/topics",
            "/topics?prefix=o",
            "/topics?sort=name",
            "/topics?topic=" + Team.DELIVERED,
            "/peek?state=waiting&body=true&limit=100&topic=" + Team.DELIVERED,
            "/peek?body=true&topic=" + Team.PULLED,
            "/dead",
            "/dead?topic=" + Team.DELIVERED);
    /** Of the whole queue. */
    private static final List<String> CLOSED = List.of(
            "/overview", "/series", "/due", "/config", "/operations", "/audit", "/metrics", "/tokens", "/namespaces");

    private final Team team;
    private final Caller caller;
    private final Ledger ledger;
    private final LongSupplier clock;
    private final long maxDelayMs;
    private final TeamLog log;
    private final AtomicInteger count = new AtomicInteger();

    Member(Team team, Caller caller, Ledger ledger, LongSupplier clock, long maxDelayMs, TeamLog log) {
        this.team = team;
        this.caller = caller;
        this.ledger = ledger;
        this.clock = clock;
        this.maxDelayMs = maxDelayMs;
        this.log = log;
    }

    /** One thing by the dice. */
    void step(SplittableRandom random) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 60) {
            push(random);
        } else if (dice < 80) {
            look(random);
        } else {
            reachOut(random);
        }
    }

    private void push(SplittableRandom random) throws InterruptedException {
        String id = "t" + count.getAndIncrement();
        boolean pulled = random.nextInt(100) < PULLED_PERCENT;
        String topic = pulled ? Team.PULLED : Team.DELIVERED;
        Order order = new Order(team.full(id), team.full(topic), random.nextLong(maxDelayMs))
                .withBody(team.mark() + ", " + id);
        Map<String, Object> said = new LinkedHashMap<>(order.json());
        said.put("id", id);
        said.put("topic", topic);
        said.put("bizKey", team.mark());
        if (pulled) {
            caller.ask(
                    client -> client.push(said),
                    answer -> answer.status() == 200 || caller.isFinal(answer.status(), "push of " + id, answer),
                    () -> {});
            return;
        }
        Sending sending = new Sending(order, ledger, clock);
        caller.ask(
                client -> {
                    sending.json();
                    return client.push(said);
                },
                answer -> sending.answered(
                        answer.status(),
                        answer.error() == null ? "" : answer.error(),
                        answer.status() == 200 ? team.full(answer.data()) : answer.data()),
                sending::lost);
    }

    private void look(SplittableRandom random) {
        int dice = random.nextInt(PAGES.size() + 2);
        if (dice < PAGES.size()) {
            String page = PAGES.get(dice);
            answered(page, client -> client.get(page), 200)
                    .ifPresent(answer -> log.shown(team, page, answer, TeamLog.namesOfOthers(team)));
        } else if (dice == PAGES.size()) {
            String closed = CLOSED.get(random.nextInt(CLOSED.size()));
            answered(closed, client -> client.get(closed), 403);
        } else {
            String id = "t" + random.nextInt(count.get() + 1);
            answered("job " + id, client -> client.job(id), 200, 404)
                    .ifPresent(answer -> log.shown(team, "GET /job/" + id, answer, TeamLog.namesOfOthers(team)));
        }
    }

    /** For messages of the others, in several spellings. An answer repeats what was said, so only the marks are looked for. */
    private void reachOut(SplittableRandom random) {
        Team other = Team.ALL.get(random.nextInt(Team.ALL.size()));
        String id = List.of("", "/", "../", other.name().toUpperCase(Locale.ROOT) + "/")
                        .get(random.nextInt(4))
                + other.full("t" + random.nextInt(count.get() + 1));
        Map<String, Function<DelayClient, Answer>> calls = Map.of(
                "look at",
                client -> client.job(id),
                "cancel",
                client -> client.delete(id),
                "reschedule",
                client -> client.post("/reschedule", JSON.toJSONString(Map.of("id", id, "delay", 0))),
                "restore",
                client -> client.post("/reStoreJob", JSON.toJSONString(Map.of("jobId", id))),
                "clear",
                client -> client.post(
                        "/topics/clear", JSON.toJSONString(Map.of("topic", other.delivered(), "state", "all"))));
        calls.forEach((name, call) -> answered(
                        name + " " + id, call, name.equals("clear") ? new int[] {200, 202, 409} : new int[] {400, 404})
                .ifPresent(answer -> log.shown(team, name + " " + id, answer, TeamLog.marksOfOthers(team))));
    }

    /** Takes what is due, and acknowledges it. */
    void pull() throws InterruptedException {
        Optional<Answer> answer = answered("pull", client -> client.post("/pull", JSON.toJSONString(PULL)), 200);
        if (answer.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(150);
            return;
        }
        log.shown(team, "POST /pull", answer.get(), TeamLog.namesOfOthers(team));
        for (Object each : answer.get().json().getJSONArray("data")) {
            JSONObject message = (JSONObject) each;
            String ack = JSON.toJSONString(Map.of("id", message.get("id"), "receipt", message.get("receipt")));
            // One that is not answered comes again after its hold.
            Optional<Answer> unused = caller.once(client -> client.post("/ack", ack));
        }
    }

    /** The answer if it is one of these; another one that the contract knows is none, and any other a surprise. */
    private Optional<Answer> answered(String what, Function<DelayClient, Answer> call, int... expected) {
        Optional<Answer> answer = caller.once(call);
        for (int status : expected) {
            if (answer.filter(given -> given.status() == status).isPresent()) {
                return answer;
            }
        }
        answer.ifPresent(given -> {
            boolean unused = caller.isFinal(given.status(), what + " by " + team.name(), given);
        });
        return Optional.empty();
    }
}
