package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.Limiter;
import io.mykit.delay.lmstfy.token.TokenLimits;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;

/** The calls about limits of tokens. Each throws a {@link Refusal} or a {@link DelayException}. Thread-safe; blocks. */
public final class LimitCalls {
    private static final int NO_LIMIT = 404;

    private final TokenLimits limits;
    private final String caller;

    /** @param accounts whose name is in the record */
    public LimitCalls(TokenLimits limits, Accounts accounts) {
        this.limits = limits;
        this.caller = accounts.caller();
    }

    Reply all() {
        return Reply.ok(limits.all());
    }

    Reply show(Request request) {
        return limits.find(namespace(request), token(request))
                .map(limiter -> Reply.ok(limiter.json()))
                .orElse(Reply.of(NO_LIMIT, "null"));
    }

    Reply add(Request request) {
        Limiter limiter = Limiter.of(request.body());
        limits.add(request, caller, namespace(request), token(request), limiter);
        return Reply.created(limiter.wrapped());
    }

    Reply set(Request request) {
        Limiter limiter = Limiter.of(request.body());
        limits.set(request, caller, namespace(request), token(request), limiter);
        return Reply.ok(limiter.wrapped());
    }

    Reply remove(Request request) {
        limits.remove(request, caller, namespace(request), token(request));
        return Reply.ok(Json.object().text("msg", "success").end());
    }

    private static String namespace(Request request) {
        return request.path().get(1);
    }

    private static String token(Request request) {
        return request.path().get(2);
    }
}
