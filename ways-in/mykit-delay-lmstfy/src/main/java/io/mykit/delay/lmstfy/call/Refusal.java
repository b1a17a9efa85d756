package io.mykit.delay.lmstfy.call;

import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;

/** A request that is refused, with its answer. */
public final class Refusal extends Refused {
    private static final long serialVersionUID = 1;
    private static final int BAD = 400;
    private static final int TOO_LARGE = 413;
    private static final int LIMITED = 429;
    private static final int FAULT = 500;
    private static final int AWAY = 503;

    /** The path, or the method at it, does not exist. */
    public static final Reply NO_ROUTE = error(404, "api not found");

    /** @param text the word that clients see in {@code error} */
    public Refusal(int status, String text) {
        this(error(status, text), text);
    }

    /** @param text for a person who reads the log */
    public Refusal(Reply reply, String text) {
        super(reply, text);
    }

    /** 400 with this text. */
    public static Refusal bad(String text) {
        return new Refusal(BAD, text);
    }

    /** 400 {@code invalid <parameter>}. */
    public static Refusal invalid(String parameter) {
        return bad("invalid " + parameter);
    }

    /** 413 with this text. */
    public static Refusal tooLarge(String text) {
        return new Refusal(TOO_LARGE, text);
    }

    /**
     * 429, because a limit was reached.
     *
     * @param action {@code produce} or {@code consume}
     * @param seconds after which the client may try again
     */
    public static Refusal limited(String token, String action, long seconds) {
        String text = "token(" + token + ") " + action + " reach the limit rate, please retry later";
        Reply reply = Reply.of(LIMITED, Json.object().text("msg", text).end());
        return new Refusal(reply.after(seconds), action + " reached its limit");
    }

    /** An error in lmstfy's form. */
    public static Reply error(int status, String text) {
        return Reply.of(status, Json.object().text("error", text).end());
    }

    /** The answer to a call that failed. A client repeats what got 500 or more, and nothing else. */
    public static Reply of(Throwable failure) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof Refused refusal) {
            return refusal.reply();
        }
        if (cause instanceof DelayException known) {
            return error(status(known.code()), known.getMessage());
        }
        return error(FAULT, "internal error");
    }

    private static int status(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST,
                    TARGET_FORBIDDEN,
                    ID_CONFLICT,
                    ALREADY_FINISHED,
                    ALREADY_DISPATCHED,
                    NOT_PULLABLE,
                    TOO_MANY -> BAD;
            case TOO_LARGE -> TOO_LARGE;
            case BUSY, STORE_UNAVAILABLE, INDEX_UNAVAILABLE, OUTCOME_UNKNOWN, STOPPING -> AWAY;
            default -> FAULT;
        };
    }
}
