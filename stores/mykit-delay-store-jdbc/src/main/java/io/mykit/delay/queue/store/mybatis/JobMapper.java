package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/**
 * The SQL on {@code mykit_delay_queue_job}, see JobMapper.xml. {@link JobStatements} runs the other statements of
 * this file.
 */
interface JobMapper {

    List<JobRow> find(@Param("ids") List<String> ids);

    /** Returns the number of rows that had the version and the status {@code from}: 1 or 0. */
    int rewrite(@Param("row") JobRow row, @Param("version") int version, @Param("from") int from);

    /** Leaves the push of a message out of its timeline. */
    void hidePush(@Param("id") String id);

    /** Locks the rows, in the order of their ids. Their end is 0 if they do not tell of it. */
    List<KeptEnd> lockEnds(@Param("ids") List<String> ids);

    void forgetEnds(@Param("ids") List<String> ids);

    long count(@Param("status") int status);

    long countUpTo(@Param("status") int status, @Param("dueBefore") long dueBefore, @Param("most") int most);
}
