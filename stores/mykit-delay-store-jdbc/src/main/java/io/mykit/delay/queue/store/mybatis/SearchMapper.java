package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.DeadNote;
import io.mykit.delay.queue.store.RowCursor;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;

/** The SQL of searches on {@code mykit_delay_queue_job}, see SearchMapper.xml. */
interface SearchMapper {
    List<FoundRow> byId(
            @Param("from") String from,
            @Param("until") String until,
            @Param("after") String after,
            @Param("limit") int limit);

    List<FoundRow> byTopics(
            @Param("from") String from,
            @Param("until") String until,
            @Param("after") String after,
            @Param("limit") int limit);

    List<FoundRow> byDue(PageSql.Query page);

    List<FoundRow> byTopic(
            @Param("topic") String topic,
            @Param("afterDueTime") long afterDueTime,
            @Param("afterId") String afterId,
            @Param("dueBefore") long dueBefore,
            @Param("limit") int limit);

    List<FoundRow> byBizKey(@Param("bizKey") String bizKey, @Param("after") String after, @Param("limit") int limit);

    /** @return null if at most so many rows have this key */
    Integer moreOfBizKey(@Param("bizKey") String bizKey, @Param("rows") int rows);

    /** @return null if at most so many rows are in these statuses */
    Integer moreInStatuses(@Param("statuses") Collection<Integer> statuses, @Param("rows") int rows);

    List<RowCursor> unfinishedByBizKey(
            @Param("topic") String topic,
            @Param("bizKey") String bizKey,
            @Param("statuses") Collection<Integer> statuses,
            @Param("limit") int limit);

    List<RowCursor> unfinishedByStatus(
            @Param("topic") String topic,
            @Param("bizKey") String bizKey,
            @Param("statuses") Collection<Integer> statuses,
            @Param("limit") int limit);

    List<DetailsRow> details(@Param("ids") Collection<String> ids);

    /** The plan of the database, one step a row. A database without estimates returns null. */
    List<Map<String, Object>> estimate(
            @Param("statuses") Collection<Integer> statuses,
            @Param("from") long from,
            @Param("dueBefore") long dueBefore);

    List<RowCursor> keys(PageSql.Query page);

    /** @return null if fewer rows are there */
    RowCursor lastKey(PageSql.Query page);

    List<StateRow> ofTopicInStatus(
            @Param("topic") String topic, @Param("page") PageSql.Query page, @Param("last") RowCursor last);

    /** @return null if fewer rows are there */
    String lastId(@Param("after") String after, @Param("offset") int offset);

    List<StateRow> unfinishedOfTopic(
            @Param("topic") String topic,
            @Param("statuses") Collection<Integer> statuses,
            @Param("after") String after,
            @Param("last") String last,
            @Param("dueBefore") long dueBefore);

    List<StateRow> ofTopic(
            @Param("topic") String topic,
            @Param("afterDueTime") long afterDueTime,
            @Param("afterId") String afterId,
            @Param("limit") int limit);

    List<DeadNote> newestDead(@Param("topic") String topic, @Param("limit") int limit);
}
