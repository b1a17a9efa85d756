package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** SQL on {@code mykit_delay_queue_job}, see JobMapper.xml. */
interface JobMapper {

    List<JobRow> find(@Param("ids") List<String> ids);

    List<StateRow> states(@Param("ids") List<String> ids);

    /** Locks the rows, in the order of their ids. */
    List<StateRow> lock(@Param("ids") List<String> ids);

    /** How many of the rows were in {@code from}. */
    int move(
            @Param("ids") List<String> ids,
            @Param("from") int from,
            @Param("to") int to,
            @Param("attempts") int attempts,
            @Param("updateTime") LocalDateTime updateTime);

    /** How many rows were in {@code from}: 1 or 0. */
    int rewrite(@Param("row") JobRow row, @Param("from") int from);

    List<JobRow> page(PageQuery query);

    List<StateRow> pageStates(PageQuery query);
}
