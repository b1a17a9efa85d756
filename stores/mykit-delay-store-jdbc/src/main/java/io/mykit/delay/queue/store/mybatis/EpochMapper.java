package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** SQL on {@code mykit_delay_queue_epoch}, see EpochMapper.xml. */
interface EpochMapper {
    /** Returns the number of rows found: 1 or 0. The row stays locked until the transaction ends. */
    int raise(
            @Param("name") String name, @Param("atLeast") long atLeast, @Param("updateTime") LocalDateTime updateTime);

    void insert(@Param("name") String name, @Param("epoch") long epoch, @Param("updateTime") LocalDateTime updateTime);

    long epoch(@Param("name") String name);

    /** All names, in order. */
    List<String> names();

    void delete(@Param("name") String name);
}
