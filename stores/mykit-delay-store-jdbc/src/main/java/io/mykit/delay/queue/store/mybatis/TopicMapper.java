package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicSetting;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_queue_topic} and {@code mykit_delay_queue_topic_policy}, see TopicMapper.xml. */
interface TopicMapper {
    /** In no particular order. */
    List<TopicPause> pauses();

    /**
     * Returns the number of rows found: 1 or 0.
     *
     * @param until null = not paused
     */
    int update(@Param("topic") String topic, @Param("until") Long until, @Param("updateTime") LocalDateTime updateTime);

    void insert(
            @Param("topic") String topic, @Param("until") Long until, @Param("updateTime") LocalDateTime updateTime);

    /** In no particular order. */
    List<TopicSetting> settings();

    /** Returns the number of rows found: 1 or 0. */
    int updateSetting(@Param("setting") TopicSetting setting, @Param("updateTime") LocalDateTime updateTime);

    void insertSetting(@Param("setting") TopicSetting setting, @Param("updateTime") LocalDateTime updateTime);

    void deleteSetting(@Param("topic") String topic, @Param("name") String name);
}
