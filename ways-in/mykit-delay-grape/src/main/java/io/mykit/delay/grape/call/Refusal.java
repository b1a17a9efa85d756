package io.mykit.delay.grape.call;

import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;

/** A request that is refused, with its answer: {@code {"code":...,"desc":"..."}}. */
public final class Refusal extends Refused {
    private static final long serialVersionUID = 1;
    private static final int BAD = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;
    private static final int LIMITED = 429;
    private static final int FAULT = 500;
    /** Grape's code for all that has no code of its own. */
    private static final int OTHER = 9999;

    private Refusal(Reply reply, String text) {
        super(reply, text);
    }

    /** 400 with a code of Grape. */
    public static Refusal of(GrapeError error, String text) {
        return new Refusal(reply(BAD, error.code(), text), text);
    }

    /** 413. */
    public static Refusal tooLarge(String text) {
        return new Refusal(error(TOO_LARGE, text), text);
    }

    /**
     * 429.
     *
     * @param seconds after which the client may try again
     */
    public static Refusal limited(long seconds) {
        String text = "the calls of this token are over their rate; try again in " + seconds + " s";
        return new Refusal(error(LIMITED, text).after(seconds), text);
    }

    /**
     * 404, as Grape answers it.
     *
     * @param rawPath as it was sent
     */
    public static Reply noRoute(String rawPath) {
        return error(NOT_FOUND, "invalid path:" + rawPath);
    }

    /** An error without a code of Grape: its status is the code, as with 404. */
    public static Reply error(int status, String text) {
        return reply(status, status, text);
    }

    /** The answer to a call that failed. */
    public static Reply of(Throwable failure) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof Refused refused) {
            return refused.reply();
        }
        if (cause instanceof DelayException known && known.code() != ErrorCode.INTERNAL) {
            return of(known);
        }
        return reply(FAULT, OTHER, "internal error");
    }

    private static Reply of(DelayException known) {
        String text = known.getMessage();
        return switch (known.code()) {
            case UNAUTHORIZED -> error(UNAUTHORIZED, text);
            case FORBIDDEN -> error(FORBIDDEN, text);
            case TOO_LARGE -> error(TOO_LARGE, text);
            case INVALID_REQUEST, TARGET_FORBIDDEN, NOT_PULLABLE, TOO_MANY -> reply(BAD, OTHER, text);
            default -> reply(FAULT, OTHER, text);
        };
    }

    private static Reply reply(int status, int code, String text) {
        return Reply.of(
                status, Json.object().number("code", code).text("desc", text).end());
    }
}
