package io.mykit.delay.controller.audit;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.LooseJson;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
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
 * Records each call of an operator that may change something, once its answer is known: by a line of the logger
 * {@value #LOGGER} and in the list of the last calls. A cancel or a reschedule is recorded if an operator or a browser made it; those of
 * programs would fill the record. A call that the role of its caller does not allow is recorded as well. A dry run changes nothing and is not recorded. Thread-safe.
 */
public final class Audit {
    /** The logger of the lines. */
    public static final String LOGGER = "io.mykit.delay.audit";

    private static final Logger LINES = LoggerFactory.getLogger(LOGGER);
    /** Producers' calls that people make as well. */
    private static final Set<String> ALSO_BY_PEOPLE = Set.of("delete", "reschedule");

    private static final String DONE = "DONE";
    private static final String RUNNING = "RUNNING";
    private static final int UNDER_WAY = 202;
    private static final int FAILURES = 400;

    private final InstantSource clock;
    private final Consumer<AuditedCall> last;

    /** @param last gets each call; must not block */
    public Audit(InstantSource clock, Consumer<AuditedCall> last) {
        this.clock = clock;
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
        boolean acts = route.access() == Access.OPERATORS && !route.isRead();
        return acts || ALSO_BY_PEOPLE.contains(route.name());
    }

    /**
     * Records a call that was refused because the role of its caller does not allow it. Its body was not read. A caller without a known
     * token is not recorded: anybody could fill the record.
     *
     * @param query raw, or null
     * @param requestId as the client gave it, or null
     */
    public void refused(Route route, String query, Principal caller, String address, String requestId, ErrorCode why) {
        if (!isRecorded(route) || caller.role() == Role.ANONYMOUS) {
            return;
        }
        Map<String, Object> given = ActionText.inQuery(route, query);
        if (!isDryRun(given)) {
            String what = ActionText.of(given);
            Begun begun =
                    new Begun(route.name(), what, caller.name(), address, requestId, clock.millis(), System.nanoTime());
            end(begun, ErrorMapper.status(why), why.name());
        }
    }

    private CompletableFuture<Reply> record(Route route, Call call) {
        Map<String, Object> given = ActionText.given(call);
        if (isDryRun(given) || (route.access() != Access.OPERATORS && !isByAPerson(call))) {
            return route.handler().handle(call);
        }
        Begun begun = new Begun(
                route.name(),
                ActionText.of(given),
                call.caller().name(),
                call.client().address(),
                call.client().header("x-request-id"),
                clock.millis(),
                System.nanoTime());
        CompletableFuture<Reply> answer;
        try {
            answer = route.handler().handle(call);
        } catch (RuntimeException | Error refused) {
            end(begun, null, refused);
            throw refused;
        }
        return answer.whenComplete((reply, failure) -> end(begun, reply, failure));
    }

    private static boolean isDryRun(Map<String, Object> given) {
        return "true".equals(String.valueOf(given.get("dryRun")));
    }

    private static boolean isByAPerson(Call call) {
        return call.caller().role() == Role.OPERATOR || call.client().header(HttpHeaders.ORIGIN) != null;
    }

    private void end(Begun begun, Reply reply, Throwable failure) {
        Reply answer = failure == null ? reply : ErrorMapper.failure(failure).reply();
        end(begun, answer.status(), result(answer));
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

    /** A call whose answer is not known yet. */
    private record Begun(
            String call, String what, String caller, String address, String requestId, long timeMs, long nanos) {
        AuditedCall ended(int status, String result, long nowNanos) {
            long milliseconds = (nowNanos - nanos) / 1_000_000;
            return new AuditedCall(timeMs, call, what, caller, address, requestId, status, result, milliseconds);
        }
    }
}
