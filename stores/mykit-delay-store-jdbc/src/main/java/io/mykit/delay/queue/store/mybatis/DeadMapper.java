package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_queue_dead}, see DeadMapper.xml. */
interface DeadMapper {
    /** Inserts a row for each of these messages. A row that a node of an older version left behind is replaced. */
    void insert(
            @Param("ids") List<String> ids,
            @Param("reason") DeadReason reason,
            @Param("detail") String detail,
            @Param("deadTime") long deadTime);

    void delete(@Param("ids") List<String> ids);

    /** @param until see {@link DeadReads}; the empty text = no bound */
    List<DeadTopic> topics(
            @Param("from") String from,
            @Param("until") String until,
            @Param("after") String after,
            @Param("limit") int limit);

    List<DeadLetter> page(
            @Param("topic") String topic,
            @Param("range") DeadRange range,
            @Param("afterTime") long afterTime,
            @Param("afterId") String afterId,
            @Param("limit") int limit);

    /** Null if there is none. */
    DeadLetter find(@Param("id") String id);

    long count(@Param("topic") String topic, @Param("range") DeadRange range);

    long countAll();

    long countUpTo(@Param("most") int most);

    /** Times in epoch milliseconds; {@code reason} null = all reasons. */
    record DeadRange(long since, long until, DeadReason reason) {}
}
