package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/** SQL on {@code mykit_delay_queue_job_log}, see FlowMapper.xml; the rest of it is run by {@link FlowStatements}. */
interface FlowMapper {

    List<FlowRow> flow(@Param("id") String id);
}
