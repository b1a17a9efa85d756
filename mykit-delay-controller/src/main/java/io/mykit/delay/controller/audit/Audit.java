package io.mykit.delay.controller.audit;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.audit.AuditedAction;
import io.mykit.delay.access.audit.Sample;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.LooseJson;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.store.AuditRow;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records each call of an operator or an administrator that may change something: by a row of the table before it acts, and once its answer is known, by a line
 * of the logger {@value AuditTrail#LOGGER} and in the list of the last calls. A call whose row cannot be written is refused. A cancel or a
 * reschedule has a line, and no row, if an operator or a browser made it; those of programs would fill the record. A call that the role of
 * its caller does not allow is recorded as well, and so is an unknown token, both in samples. A dry run changes nothing and is not
 * recorded. Thread-safe.
 */
public final class Audit {
    private static final Logger LINES = LoggerFactory.getLogger(AuditTrail.LOGGER);
    /** Producers' calls that people make as well. */
    private static final Set<String> ALSO_BY_PEOPLE = Set.of("delete", "reschedule");
    /** Needed most while the store is away, and harmless to messages: these act without a row, too, and so does each stop of a walk. */
    private static final Set<String> ALWAYS = Set.of("setLog", "stopOperation", "retryTopic");

    private static final String LOGIN = "login";

    private static final String DONE = "DONE";
    private static final String RUNNING = "RUNNING";
    private static final int MAX_TEXT = 200;
    private static final int UNDER_WAY = 202;
    private static final int FAILURES = 400;

    private final InstantSource clock;
    private final AuditTable table;
    private final Consumer<AuditedCall> last;
    private final Sample refusals = new Sample(System::nanoTime);

    /** @param last gets each call; must not block */
    public Audit(InstantSource clock, AuditTrail trail, Consumer<AuditedCall> last) {
        this.clock = clock;
        this.table = new AuditTable(trail);
        this.last = last;
    }

    /** The route with its record, if it needs one. */
    public Route recorded(Route route) {
        if (!isRecorded(route)) {
            return route;
        }
        CallHandler handler = call -> record(route, call);
        return new Route(
                route.name(),
                route.access(),
                route.methods(),
                route.pattern(),
                route.parameters(),
                route.maxBody(),
                handler);
    }

    private static boolean isRecorded(Route route) {
        return acts(route) || ALSO_BY_PEOPLE.contains(route.name());
    }

    private static boolean acts(Route route) {
        return (route.access() == Access.OPERATORS || route.access() == Access.ADMINS) && !route.isRead();
    }

    /**
     * Records a call that was refused because the role of its caller does not allow it. Its body was not read. A caller without a known
     * token is not recorded: anybody could fill the record.
     *
     * @param query raw, or null
     * @param requestId as the client gave it, or null
     */
    public void refused(Route route, String query, Principal caller, String address, String requestId, ErrorCode why) {
        if (!isRecorded(route) || caller.isAnonymous()) {
            return;
        }
        Map<String, Object> given = ActionText.inQuery(route, query);
        if (!isDryRun(given)) {
            String what = ActionText.of(given, MAX_TEXT);
            Begun begun =
                    new Begun(route.name(), what, caller.name(), address, requestId, clock.millis(), System.nanoTime());
            end(begun, ErrorMapper.status(why), why.name());
            if (acts(route) && refusals.takes(address)) {
                table.note(begun.action(given), why.name());
            }
        }
    }

    /** Records an unknown token, which is not shown. */
    public void failedLogin(String address) {
        if (refusals.takes(address)) {
            table.note(new AuditedAction("", address, LOGIN, "", "unknown token"), ErrorCode.UNAUTHORIZED.name());
        }
    }

    private CompletableFuture<Reply> record(Route route, Call call) {
        Map<String, Object> given = ActionText.given(call);
        if (isDryRun(given) || (!acts(route) && !isByAPerson(call))) {
            return route.handler().handle(call);
        }
        Begun begun = new Begun(
                route.name(),
                ActionText.of(given, MAX_TEXT),
                call.caller().name(),
                call.client().address(),
                call.client().header(RequestLog.ID),
                clock.millis(),
                System.nanoTime());
        CompletableFuture<Reply> answer = acts(route)
                ? table.around(begun.action(given), needsRow(route, given), () -> answer(route, call), Audit::result)
                : answer(route, call);
        return answer.exceptionally(Audit::failed)
                .whenComplete((reply, none) -> end(begun, reply.status(), result(reply)));
    }

    private static CompletableFuture<Reply> answer(Route route, Call call) {
        try {
            return route.handler().handle(call).exceptionally(Audit::failed);
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.completedFuture(failed(refused));
        }
    }

    private static Reply failed(Throwable failure) {
        return ErrorMapper.failure(failure).reply();
    }

    /** A call with {@code stop=true} stops the walk that runs, and does nothing else. */
    private static boolean needsRow(Route route, Map<String, Object> given) {
        return !ALWAYS.contains(route.name()) && !isTrue(given, "stop");
    }

    private static boolean isDryRun(Map<String, Object> given) {
        return isTrue(given, "dryRun");
    }

    private static boolean isTrue(Map<String, Object> given, String name) {
        return "true".equals(String.valueOf(given.get(name)));
    }

    private static boolean isByAPerson(Call call) {
        return call.caller().may(Role.OPERATOR) || call.client().header(HttpHeaders.ORIGIN) != null;
    }

    private void end(Begun begun, int status, String result) {
        AuditedCall call = begun.ended(status, result, System.nanoTime());
        call.write(LINES);
        last.accept(call);
    }

    private static String result(Reply answer) {
        if (answer.status() < FAILURES) {
            return answer.status() == UNDER_WAY ? RUNNING : DONE;
        }
        Object word =
                LooseJson.fields(answer.body().toString(StandardCharsets.UTF_8)).get("error");
        return word == null ? Integer.toString(answer.status()) : word.toString();
    }

    /** Waits a moment for rows that are being written. */
    public void close() {
        table.close();
    }

    /** A call whose answer is not known yet. */
    private record Begun(
            String call, String what, String caller, String address, String requestId, long timeMs, long nanos) {
        AuditedAction action(Map<String, Object> given) {
            return new AuditedAction(
                    caller, address, call, ActionText.object(given), ActionText.of(given, AuditRow.MAX_DETAIL));
        }

        AuditedCall ended(int status, String result, long nowNanos) {
            long milliseconds = (nowNanos - nanos) / 1_000_000;
            return new AuditedCall(timeMs, call, what, caller, address, requestId, status, result, milliseconds);
        }
    }
}
