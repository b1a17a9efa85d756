package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/**
 * The SQL on {@code mykit_delay_queue_job_log}, see FlowMapper.xml. {@link FlowStatements} runs the other statements
 * of this file.
 */
interface FlowMapper {

    List<FlowRow> flow(@Param("id") String id);
}
