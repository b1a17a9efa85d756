package io.mykit.delay.grpc.reply;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.error.RateLimitedException;
import io.mykit.delay.v1.ItemError;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps failures to statuses of gRPC: no other class knows this mapping. It logs each defect of the server once, and no other failure.
 * Stateless.
 */
public final class Failures {
    /** The domain of {@code google.rpc.ErrorInfo}. */
    public static final String DOMAIN = "mykit-delay";
    /** The trailer with the word of the error. */
    public static final Metadata.Key<String> WORD =
            Metadata.Key.of("mykit-delay-error", Metadata.ASCII_STRING_MARSHALLER);

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final String NEUTRAL = "internal error; the server's log knows more";
    private static final int NO_PAUSE = 0;
    private static final int PAUSE_SECONDS = 1;
    private static final Metadata.Key<com.google.rpc.Status> DETAILS = Metadata.Key.of(
            "grpc-status-details-bin", ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

    private Failures() {}

    public static Status.Code code(ErrorCode error) {
        return switch (error) {
            case INVALID_REQUEST -> Status.Code.INVALID_ARGUMENT;
            case UNAUTHORIZED -> Status.Code.UNAUTHENTICATED;
            case FORBIDDEN, TARGET_FORBIDDEN -> Status.Code.PERMISSION_DENIED;
            case NOT_FOUND -> Status.Code.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> Status.Code.UNIMPLEMENTED;
            case ID_CONFLICT -> Status.Code.ALREADY_EXISTS;
            case ALREADY_DISPATCHED, ALREADY_FINISHED, ALREADY_RUNNING, LEASE_LOST, NOT_PULLABLE, TOO_MANY ->
                Status.Code.FAILED_PRECONDITION;
            case TOO_LARGE, BUSY, RATE_LIMITED -> Status.Code.RESOURCE_EXHAUSTED;
            case STORE_UNAVAILABLE, OUTCOME_UNKNOWN, INDEX_UNAVAILABLE, STOPPING -> Status.Code.UNAVAILABLE;
            case INTERNAL -> Status.Code.INTERNAL;
        };
    }

    /** The failure with the word that a caller may see: the cause of a future's failure, or INTERNAL for a defect. */
    public static DelayException known(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof DelayException known && known.code() != ErrorCode.INTERNAL) {
            return known;
        }
        LOG.error("A call failed because of a defect of the server; please report the stack trace", cause);
        return new DelayException(ErrorCode.INTERNAL, NEUTRAL);
    }

    /** The same for a push, with the id of a message that may be stored, so that a repeat can use the id. */
    public static DelayException ofPush(Throwable thrown, String id) {
        DelayException failure = known(thrown);
        return failure.code() == ErrorCode.OUTCOME_UNKNOWN
                ? new DelayException(
                        failure.code(), failure.getMessage() + "; repeat the call with the id " + id, thrown)
                : failure;
    }

    public static Status status(DelayException failure) {
        return code(failure.code()).toStatus().withDescription(failure.getMessage());
    }

    /** The trailers of a call that fails: the word, and the same with the time of the next try as details. */
    public static Metadata trailers(DelayException failure) {
        if (failure instanceof RateLimitedException limited) {
            return pausing(failure, limited.retryAfterMs());
        }
        return trailers(failure, isForLater(failure.code()) ? PAUSE_SECONDS : NO_PAUSE);
    }

    /** @param pauseSeconds after this time the same call may succeed; 0 = not known */
    public static Metadata trailers(DelayException failure, long pauseSeconds) {
        return pausing(failure, TimeUnit.SECONDS.toMillis(pauseSeconds));
    }

    private static Metadata pausing(DelayException failure, long pauseMs) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason(failure.code().name())
                .setDomain(DOMAIN)
                .build();
        com.google.rpc.Status.Builder details = com.google.rpc.Status.newBuilder()
                .setCode(code(failure.code()).value())
                .setMessage(failure.getMessage())
                .addDetails(Any.pack(info));
        if (pauseMs > 0) {
            details.addDetails(Any.pack(
                    RetryInfo.newBuilder().setRetryDelay(duration(pauseMs)).build()));
        }
        Metadata trailers = new Metadata();
        trailers.put(WORD, failure.code().name());
        trailers.put(DETAILS, details.build());
        return trailers;
    }

    private static Duration duration(long ms) {
        int nanos = (int) TimeUnit.MILLISECONDS.toNanos(ms % 1000);
        return Duration.newBuilder().setSeconds(ms / 1000).setNanos(nanos).build();
    }

    /** The failure of one item of a batch. */
    public static ItemError item(DelayException failure) {
        return ItemError.newBuilder()
                .setCode(code(failure.code()).value())
                .setError(failure.code().name())
                .setMessage(failure.getMessage())
                .build();
    }

    private static boolean isForLater(ErrorCode error) {
        return switch (error) {
            case BUSY, RATE_LIMITED, STORE_UNAVAILABLE, OUTCOME_UNKNOWN, INDEX_UNAVAILABLE, STOPPING -> true;
            default -> false;
        };
    }
}
