package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.Recorded;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import java.util.concurrent.CompletableFuture;

/** Lets the account of the admin port in, and counts and records who is refused. Thread-safe; does not block. */
public final class AccountGate {
    private static final Reply UNAUTHORIZED = Refusal.error(401, "unauthorized");

    private final Accounts accounts;
    private final Recorded record;
    private final TokenMeters meters;
    private final Workers workers;

    /** @param workers write the record */
    public AccountGate(Accounts accounts, Recorded record, TokenMeters meters, Workers workers) {
        this.accounts = accounts;
        this.record = record;
        this.meters = meters;
        this.workers = workers;
    }

    /** Whether there is an account. */
    boolean isClosed() {
        return accounts.user().isPresent();
    }

    boolean admits(Request request) {
        return accounts.admit(request);
    }

    /** The name for records. */
    String caller() {
        return accounts.caller();
    }

    /** A request without any account is no guess, and has no row. */
    CompletableFuture<Reply> refuse(Request request) {
        meters.refused(ErrorCode.UNAUTHORIZED);
        if (request.header("Authorization").isEmpty() || !record.takes(request.address())) {
            return CompletableFuture.completedFuture(UNAUTHORIZED);
        }
        return workers.run(() -> {
            record.refusedLogin(request.address());
            return UNAUTHORIZED;
        });
    }
}
