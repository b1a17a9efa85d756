package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/** SQL on {@code mykit_delay_queue_job}, see JobMapper.xml; the rest of it is run by {@link JobStatements}. */
interface JobMapper {

    List<JobRow> find(@Param("ids") List<String> ids);

    /** How many rows had the version and were in {@code from}: 1 or 0. */
    int rewrite(@Param("row") JobRow row, @Param("version") int version, @Param("from") int from);

    long count(@Param("status") int status);
}
