package io.mykit.delay.queue.store.mybatis;

import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_queue_author}, see AuthorMapper.xml. */
interface AuthorMapper {
    /** Returns the number of an author; null if there is none. */
    Integer number(@Param("host") String host, @Param("thread") String thread);

    void insert(@Param("host") String host, @Param("thread") String thread);

    /** Returns the author of a number; null if there is none. */
    Author find(@Param("author") int author);
}
