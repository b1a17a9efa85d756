package io.mykit.delay.queue.commit;

import java.util.List;

/** Writes the batches of a {@link GroupCommit}: one at a time, or, if it has several lanes, some at the same time. */
public interface BatchWriter<T> {
    /** Writes a batch, and answers every item in every case. A defect is thrown after the answers. */
    void commit(List<T> batch);

    /** Answers an item that was not written. */
    void fail(T item, Throwable why);
}
