package io.mykit.delay.controller.audit;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Operators read the audit: {@code GET /audit}. */
public final class AuditCalls {
    private static final ParameterNames FIELDS = ParameterNames.of("after", "limit", "action", "actor", "since");
    private static final Pattern ID = Pattern.compile("\\d{13}-[0-9a-f]{8}");
    private static final int USUAL = 50;
    private static final int MOST = 500;

    private final AuditTrail trail;
    private final Workers workers;

    public AuditCalls(AuditTrail trail, Workers workers) {
        this.trail = trail;
        this.workers = workers;
    }

    /** @param maxBody the maximum of bytes in a body */
    public List<Route> routes(int maxBody) {
        return List.of(new Route("audit", Access.OPERATORS, Route.READ, "/audit", FIELDS, maxBody, this::list));
    }

    private CompletableFuture<Reply> list(Call call) {
        Parameters given = call.parameters();
        String after = given.text("after").orElse("");
        if (!after.isEmpty() && !ID.matcher(after).matches()) {
            throw invalid("after must be the next of an earlier answer");
        }
        int limit = given.number("limit", 1, MOST).map(Long::intValue).orElse(USUAL);
        AuditQuery query = new AuditQuery(
                after,
                given.time("since").orElse(0L),
                filter(given, "action", AuditRow.MAX_ACTION),
                filter(given, "actor", AuditRow.MAX_ACTOR));
        return workers.run(() -> Envelope.success(data(trail.page(query, limit + 1), limit)));
    }

    private static Optional<String> filter(Parameters given, String name, int most) {
        Optional<String> text = given.text(name).filter(value -> !value.isEmpty());
        if (text.isPresent() && text.get().length() > most) {
            throw invalid(name + " must have at most " + most + " characters");
        }
        return text;
    }

    /** @param found one row more than the page has, if there is a next page */
    private static Map<String, Object> data(List<AuditRow> found, int limit) {
        List<AuditRow> page = found.subList(0, Math.min(limit, found.size()));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("items", page.stream().map(AuditCalls::item).toList());
        data.put("next", found.size() > limit ? page.get(limit - 1).id() : null);
        return data;
    }

    private static Map<String, Object> item(AuditRow row) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("id", row.id());
        item.put("time", row.timeMs());
        item.put("actor", row.actor());
        item.put("address", row.address());
        item.put("action", row.action());
        item.put("object", row.object());
        item.put("detail", row.detail());
        item.put("outcome", row.outcome());
        return item;
    }
}
