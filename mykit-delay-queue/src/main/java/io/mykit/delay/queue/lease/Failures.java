package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NotOwnedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failures in one call on several buckets. Failures that a scanner repairs are only logged. The others are thrown
 * when all buckets were called. One thread uses it.
 */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private RuntimeException first;

    void met(RuntimeException failure) {
        if (failure instanceof NotOwnedException) {
            LOG.debug(
                    "This leader does not own a bucket; its scanner claims it again if the term is active: {}",
                    failure.getMessage());
        } else if (failure instanceof IndexUnavailableException) {
            LOG.debug(
                    "Redis did not answer a call on a bucket; its scanner reads the leases later: {}",
                    failure.getMessage());
        } else if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    void rethrow() {
        if (first != null) {
            throw first;
        }
    }
}
