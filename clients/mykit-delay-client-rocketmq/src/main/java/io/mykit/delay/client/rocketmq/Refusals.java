package io.mykit.delay.client.rocketmq;

import io.mykit.delay.client.DelayClientException;
import io.mykit.delay.client.DelayRequestException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Failures as the callers of a producer know them. Stateless. */
final class Refusals {
    private Refusals() {}

    /** The same call would be refused again. */
    static MQClientException of(String why, Throwable cause) {
        MQClientException refusal = new MQClientException(ResponseCode.MESSAGE_ILLEGAL, "not sent: " + why);
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }

    /** {@link MQClientException} for what the server refused, {@link RemotingException} for no answer: another try may succeed. */
    static Exception of(DelayClientException failure) {
        String doubt =
                failure.isInDoubt() ? "; it may have been taken all the same, and another send of it is a repeat" : "";
        return failure instanceof DelayRequestException
                ? of(failure.getMessage() + doubt, failure)
                : new RemotingException("mykit-delay did not answer: " + failure.getMessage() + doubt, failure);
    }

    /** The value of a future, or its failure as callers of a producer know it. */
    static <T> T await(CompletableFuture<T> future, long timeoutMs, Runnable abandon)
            throws MQClientException, RemotingException, InterruptedException {
        try {
            return future.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            abandon.run();
            throw late(timeoutMs);
        } catch (InterruptedException e) {
            abandon.run();
            throw e;
        } catch (ExecutionException e) {
            Exception failure = failure(e.getCause(), timeoutMs);
            if (failure instanceof MQClientException refused) {
                throw refused;
            }
            throw (RemotingException) failure;
        }
    }

    /** {@link MQClientException} or {@link RemotingException}. */
    static Exception failure(Throwable cause, long timeoutMs) {
        if (cause instanceof DelayClientException failed) {
            return of(failed);
        }
        return cause instanceof TimeoutException
                ? late(timeoutMs)
                : new RemotingException("mykit-delay did not answer: " + cause, cause);
    }

    private static RemotingTimeoutException late(long timeoutMs) {
        return new RemotingTimeoutException("mykit-delay did not answer within " + timeoutMs
                + " ms; it may have been taken all the same, and another send of it is a repeat");
    }
}
