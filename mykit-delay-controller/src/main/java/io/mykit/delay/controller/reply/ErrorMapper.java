package io.mykit.delay.controller.reply;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.error.RateLimitedException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps failures to HTTP statuses: no other class knows this mapping. It logs each defect of the server once, and no other
 * failure. Stateless.
 */
public final class ErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);
    private static final String NEUTRAL = "internal error; the server's log knows more";
    private static final Map<String, String> NO_HEADERS = Map.of();
    private static final Map<String, String> RETRY = Map.of("Retry-After", "1");
    private static final Map<String, String> CHALLENGE = Map.of("WWW-Authenticate", "Bearer realm=\"mykit-delay\"");

    private ErrorMapper() {}

    public static int status(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST -> 400;
            case UNAUTHORIZED -> 401;
            case FORBIDDEN, TARGET_FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case ID_CONFLICT,
                    ALREADY_DISPATCHED,
                    ALREADY_FINISHED,
                    ALREADY_RUNNING,
                    LEASE_LOST,
                    NOT_PULLABLE,
                    TOO_MANY -> 409;
            case TOO_LARGE -> 413;
            case BUSY, RATE_LIMITED -> 429;
            case STORE_UNAVAILABLE, OUTCOME_UNKNOWN, INDEX_UNAVAILABLE, STOPPING -> 503;
            case INTERNAL -> 500;
        };
    }

    public static Failure failure(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause instanceof RateLimitedException limited) {
            return new Failure(
                    status(limited.code()),
                    limited.code(),
                    limited.getMessage(),
                    Map.of("Retry-After", Long.toString(limited.retryAfterSeconds())),
                    null);
        }
        if (cause instanceof DelayException known && known.code() != ErrorCode.INTERNAL) {
            return failure(known.code(), known.getMessage());
        }
        LOG.error("A request failed because of a defect of the server; please report the stack trace", cause);
        return failure(ErrorCode.INTERNAL, NEUTRAL);
    }

    /** What failed, without what a future has put around it. */
    public static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    public static Failure failure(ErrorCode code, String message) {
        return new Failure(status(code), code, message, headers(code), null);
    }

    /** The path exists, but not with this method. */
    public static Reply methodNotAllowed(String method, String allowed) {
        return failure(ErrorCode.METHOD_NOT_ALLOWED, method + " is not allowed here, only " + allowed)
                .reply()
                .with(Map.of("Allow", allowed));
    }

    /** The answer to bytes that the HTTP decoder could not read. */
    public static Reply undecodable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            // The method is not known. It may be HEAD, whose answer has no body.
            return lineTooLong().withoutBody();
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Failure(431, ErrorCode.TOO_LARGE, "the request's headers are too long", NO_HEADERS, null)
                    .reply();
        }
        return failure(ErrorCode.INVALID_REQUEST, "this is not an HTTP request").reply();
    }

    public static Reply lineTooLong() {
        return new Failure(414, ErrorCode.TOO_LARGE, "the request line is too long", NO_HEADERS, null).reply();
    }

    /** The body of a request did not arrive in time. */
    public static Reply tooSlow(long seconds) {
        String message = "the body did not arrive within " + seconds + " s";
        return new Failure(408, ErrorCode.INVALID_REQUEST, message, NO_HEADERS, null).reply();
    }

    /** The call takes JSON only, because an HTML form of a foreign page cannot send it. */
    public static Reply notJson() {
        String message = "the content type must be application/json (curl: -H content-type:application/json)";
        return new Failure(415, ErrorCode.INVALID_REQUEST, message, NO_HEADERS, null).reply();
    }

    /** The body is compressed, or encoded otherwise. */
    public static Reply encoded() {
        String message = "the body has a Content-Encoding, which this server does not read; send it without one";
        return new Failure(415, ErrorCode.INVALID_REQUEST, message, NO_HEADERS, null).reply();
    }

    /** Too many unknown tokens came from one address. */
    public static Reply tooManyLogins(long seconds) {
        String message = "the token is not known, and too many unknown tokens came from this address; try again in "
                + seconds + " s";
        return new Failure(429, ErrorCode.UNAUTHORIZED, message, Map.of("Retry-After", Long.toString(seconds)), null)
                .reply();
    }

    /** The server runs, but cannot serve this call; {@code data} gives the reason. */
    public static Reply unfit(ErrorCode code, String message, Object data) {
        return Envelope.failure(503, code, message, data).with(RETRY);
    }

    private static Map<String, String> headers(ErrorCode code) {
        return switch (code) {
            case BUSY, STORE_UNAVAILABLE, OUTCOME_UNKNOWN, INDEX_UNAVAILABLE, STOPPING, RATE_LIMITED -> RETRY;
            case UNAUTHORIZED -> CHALLENGE;
            default -> NO_HEADERS;
        };
    }
}
