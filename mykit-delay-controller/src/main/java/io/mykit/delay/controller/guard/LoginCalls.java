package io.mykit.delay.controller.guard;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The call by which a client checks its token: {@code GET /whoami}. */
public final class LoginCalls {
    private final Tokens tokens;

    public LoginCalls(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * @param maxBody the maximum of bytes in a body, which is not read
     */
    public List<Route> routes(int maxBody) {
        return List.of(new Route(
                "whoami", Access.LOGIN, Route.READ, "/whoami", ParameterNames.NOTHING, maxBody, this::whoami));
    }

    private CompletableFuture<Reply> whoami(Call call) {
        Principal caller = call.caller();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("role", caller.role().name());
        data.put("name", caller.name());
        data.put("tokensConfigured", tokens.areConfigured());
        data.put("roles", caller.roles().stream().map(Role::word).toList());
        data.put("namespace", caller.namespace());
        data.put("tokenId", caller.tokenId().orElse(null));
        data.put("expires", caller.expiresMs().orElse(null));
        data.put("pushes", tokens.allow(Access.PRODUCERS, caller));
        data.put("pulls", tokens.allow(Access.CONSUMERS, caller));
        data.put("reads", tokens.allow(Access.VIEWERS, caller));
        data.put("acts", tokens.allow(Access.OPERATORS, caller));
        data.put("administers", tokens.allow(Access.ADMINS, caller));
        data.put("limits", limits(caller.limits()));
        return CompletableFuture.completedFuture(Envelope.success(data));
    }

    private static Map<String, Object> limits(CallerLimits limits) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("pushRate", limit(limits.pushRate()));
        data.put("pullRate", limit(limits.pullRate()));
        NamespaceLimits namespace = limits.namespace();
        data.put("namespacePushRate", limit(namespace.pushRate()));
        data.put("namespacePullRate", limit(namespace.pullRate()));
        data.put("maxDelay", limit(namespace.maxDelayMs()));
        data.put("maxBody", limit(namespace.maxBody()));
        data.put("maxTopics", limit(namespace.maxTopics()));
        return data;
    }

    /** Null = there is none. */
    private static Number limit(long limit) {
        return limit == 0 ? null : limit;
    }
}
