package io.mykit.delay.access.limit;

import io.mykit.delay.queue.bucket.SharedLimits;
import java.util.List;
import java.util.Optional;

/** {@link SharedLimits} with a defect: each call fails. */
final class BrokenLimits implements SharedLimits {
    @Override
    public List<Optional<RateShare>> take(List<RateOrder> orders) {
        throw new IllegalStateException("a defect");
    }

    @Override
    public List<Optional<Boolean>> admit(List<TopicOrder> orders) {
        throw new IllegalStateException("a defect");
    }
}
