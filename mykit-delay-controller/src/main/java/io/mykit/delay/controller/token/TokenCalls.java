package io.mykit.delay.controller.token;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.token.IssuedToken;
import io.mykit.delay.access.token.NewToken;
import io.mykit.delay.access.token.TokenChange;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.store.StoredToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The calls that make, list, change and delete tokens. An answer has the token itself only when it is made. */
public final class TokenCalls {
    private final TokenTable tokens;
    private final Workers workers;

    public TokenCalls(TokenTable tokens, Workers workers) {
        this.tokens = tokens;
        this.workers = workers;
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        return List.of(
                new Route("tokens", Access.ADMINS, Route.READ, "/tokens", TokenFields.LIST, maxBody, this::list),
                post("createToken", "/tokens", maxBody, this::create),
                post("changeToken", "/tokens/change", maxBody, this::change),
                post("deleteToken", "/tokens/delete", maxBody, this::delete));
    }

    /** The fields stand in a JSON body only, which the form of a web page cannot send. */
    static Route post(String name, String path, int maxBody, CallHandler handler) {
        CallHandler json = call ->
                call.declaresJson() ? handler.handle(call) : CompletableFuture.completedFuture(ErrorMapper.notJson());
        return new Route(name, Access.ADMINS, Route.POST, path, ParameterNames.NONE, maxBody, json);
    }

    private CompletableFuture<Reply> list(Call call) {
        TokenFields.Page page = TokenFields.page(call.parameters());
        return workers.run(() -> Envelope.success(tokens.all().stream()
                .filter(token -> page.namespace().stream().allMatch(token.namespace()::equals))
                .filter(token -> token.tokenId().compareTo(page.after()) > 0)
                .limit(page.limit())
                .map(TokenCalls::data)
                .toList()));
    }

    private CompletableFuture<Reply> create(Call call) {
        NewToken order = TokenFields.order(call);
        String by = call.caller().name();
        return workers.run(() -> {
            IssuedToken issued = tokens.create(order, by);
            Map<String, Object> data = data(issued.row());
            data.put("token", issued.text());
            return Envelope.success(data);
        });
    }

    private CompletableFuture<Reply> change(Call call) {
        Parameters given = TokenFields.CHANGE.read(call).parameters();
        String tokenId = TokenFields.tokenId(given);
        TokenChange change = TokenFields.change(given);
        return workers.run(() -> Envelope.success(data(tokens.change(tokenId, change))));
    }

    private CompletableFuture<Reply> delete(Call call) {
        String tokenId = TokenFields.tokenId(TokenFields.DELETE.read(call).parameters());
        return workers.run(() -> {
            tokens.delete(tokenId);
            return Envelope.success(tokenId);
        });
    }

    /** Null = there is none. */
    static Number limit(long limit) {
        return limit == 0 ? null : limit;
    }

    private static Map<String, Object> data(StoredToken token) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("tokenId", token.tokenId());
        data.put("namespace", token.namespace());
        data.put("roles", List.of(token.roles().split(",", -1)));
        data.put("description", token.description());
        data.put("createTime", token.createdMs());
        data.put("createdBy", token.createdBy());
        data.put("expires", token.expiresMs());
        data.put("disabled", token.disabled());
        data.put("lastUsed", token.lastUsed());
        data.put("pushRate", limit(token.pushRate()));
        data.put("pullRate", limit(token.pullRate()));
        return data;
    }
}
