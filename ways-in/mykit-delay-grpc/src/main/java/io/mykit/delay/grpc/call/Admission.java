package io.mykit.delay.grpc.call;

import io.grpc.Metadata;
import io.mykit.delay.access.Access;
import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.function.BooleanSupplier;

/** Decides whether a call may begin: by the state of this node, by the caller's token, and by the calls in flight. Thread-safe. */
public final class Admission {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Tokens tokens;
    private final TokenMeters meters;
    private final FailedLogins logins = new FailedLogins();
    private final BooleanSupplier stopping;
    private final int maxInFlight;

    /** @param maxInFlight the maximum of calls that are not answered yet; further ones get BUSY */
    public Admission(Tokens tokens, TokenMeters meters, BooleanSupplier stopping, int maxInFlight) {
        this.tokens = tokens;
        this.meters = meters;
        this.stopping = stopping;
        this.maxInFlight = maxInFlight;
    }

    /**
     * The caller, if the call may begin.
     *
     * @param inFlight the calls in flight, this one included
     * @throws DelayException STOPPING, UNAUTHORIZED, FORBIDDEN, STORE_UNAVAILABLE or BUSY
     */
    Principal admit(Access access, Metadata headers, int inFlight) {
        if (stopping.getAsBoolean()) {
            throw new DelayException(ErrorCode.STOPPING, "this node is stopping; use another one");
        }
        Principal caller;
        try {
            caller = tokens.admit(access, headers.get(AUTHORIZATION));
        } catch (DelayException refused) {
            meters.refused(refused.code());
            throw refused;
        }
        if (inFlight > maxInFlight) {
            throw new DelayException(ErrorCode.BUSY, "too many calls at once; try again");
        }
        return caller;
    }

    /** The seconds after which a caller with an unknown token may try again; 0 = at once. */
    long pauseSeconds(DelayException refused, Metadata headers, String address) {
        return refused.code() == ErrorCode.UNAUTHORIZED && headers.containsKey(AUTHORIZATION)
                ? logins.count(address)
                : 0;
    }
}
