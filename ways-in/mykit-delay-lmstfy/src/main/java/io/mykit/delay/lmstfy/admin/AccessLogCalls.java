package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.Recorded;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;

/** The calls about the log of requests of this node. Thread-safe. */
public final class AccessLogCalls {
    private final RequestLog log;
    private final Recorded record;
    private final String caller;

    /** @param accounts whose name is in the record */
    public AccessLogCalls(RequestLog log, Recorded record, Accounts accounts) {
        this.log = log;
        this.record = record;
        this.caller = accounts.caller();
    }

    Reply status() {
        return status(log.isOn());
    }

    /**
     * Turns the log on or off until this node ends. Blocks.
     *
     * @throws Refusal 400
     */
    Reply turn(Request request) {
        boolean on =
                switch (request.query().find("status").orElse("")) {
                    case "enable" -> true;
                    case "disable" -> false;
                    default -> throw Refusal.invalid("status");
                };
        return record.act(request, caller, "turnRequestLog", on ? "on" : "off", () -> {
            log.turn(on);
            return status(on);
        });
    }

    private static Reply status(boolean on) {
        return Reply.ok(
                Json.object().text("status", on ? "enabled" : "disabled").end());
    }
}
