package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_audit}, see AuditMapper.xml. */
interface AuditMapper {
    void insert(AuditLine row);

    void end(@Param("id") String id, @Param("outcome") String outcome);

    /**
     * The newest rows first.
     *
     * @param since the first id that counts
     * @param before the first id that does not count
     * @param action null = all
     * @param actor null = all
     */
    List<AuditLine> page(
            @Param("since") String since,
            @Param("before") String before,
            @Param("action") String action,
            @Param("actor") String actor,
            @Param("limit") int limit);

    /** The ids of the oldest rows before this one. */
    List<String> old(@Param("before") String before, @Param("limit") int limit);

    /** Returns the number of rows. */
    int remove(@Param("ids") List<String> ids);

    /** A row of the table. */
    record AuditLine(
            String id,
            LocalDateTime at,
            String actor,
            String address,
            String action,
            String object,
            String detail,
            String outcome) {}
}
