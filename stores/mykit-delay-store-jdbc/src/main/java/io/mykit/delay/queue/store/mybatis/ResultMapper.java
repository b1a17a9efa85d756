package io.mykit.delay.queue.store.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_queue_result}, see ResultMapper.xml. {@link RowInsert} runs its INSERT. */
interface ResultMapper {
    void delete(@Param("ids") List<String> ids);

    /** Null if the message is not FINISH, or has no result. */
    ResultRow find(@Param("id") String id);
}
