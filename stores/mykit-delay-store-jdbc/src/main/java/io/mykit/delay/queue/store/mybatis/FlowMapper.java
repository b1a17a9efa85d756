package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/**
 * The SQL on {@code mykit_delay_queue_job_log}, see FlowMapper.xml. {@link FlowStatements} runs the other statements
 * of this file.
 */
interface FlowMapper {

    /** The row of a message with each row of its log, in no order; one row if the log has none. */
    List<TimelineRow> timeline(@Param("id") String id);

    /** The newest row of a message's log that is not among the {@code kept} newest ones; null if it has no more than these. */
    Long lastBefore(@Param("id") String id, @Param("kept") int kept);

    /** Removes the rows of a message's log up to this one. */
    void removeUpTo(@Param("id") String id, @Param("last") long last);
}
