package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/** A row of {@code mykit_delay_queue_job_log}; the components are its columns. What is too long is cut. */
record FlowRow(
        String id,
        Integer fromStatus,
        int status,
        int attempt,
        String thread,
        String host,
        String detail,
        LocalDateTime updateTime) {
    private static final int MAX_THREAD = 60;
    private static final int MAX_HOST = 128;
    private static final int MAX_DETAIL = 250;

    FlowRow {
        thread = cut(thread, MAX_THREAD);
        host = cut(host, MAX_HOST);
        detail = cut(detail, MAX_DETAIL);
    }

    /** The first row of a message. */
    static FlowRow begin(NewMessage message, String thread, String host, long nowMs) {
        return new FlowRow(
                message.message().id(), null, message.status().code(), 0, thread, host, "", UtcTime.ofMillis(nowMs));
    }

    /** One row for each step, each beginning where the one before ended. */
    static List<FlowRow> of(Transition transition, String host) {
        List<FlowRow> rows = new ArrayList<>(transition.steps().size());
        MessageStatus at = transition.from();
        for (Transition.Step step : transition.steps()) {
            rows.add(new FlowRow(
                    transition.id(),
                    at.code(),
                    step.to().code(),
                    transition.attempts(),
                    transition.thread(),
                    host,
                    step.detail(),
                    UtcTime.ofMillis(step.atMs())));
            at = step.to();
        }
        return rows;
    }

    /** In the order of the columns in FlowMapper.xml. */
    void bind(PreparedStatement statement) throws SQLException {
        statement.setString(1, id);
        if (fromStatus == null) {
            statement.setNull(2, Types.INTEGER);
        } else {
            statement.setInt(2, fromStatus);
        }
        statement.setInt(3, status);
        statement.setInt(4, attempt);
        statement.setString(5, thread);
        statement.setString(6, host);
        statement.setString(7, detail);
        statement.setObject(8, updateTime);
    }

    StatusFlow toFlow() {
        return new StatusFlow(
                id,
                fromStatus == null ? null : MessageStatus.ofCode(fromStatus),
                MessageStatus.ofCode(status),
                UtcTime.toMillis(updateTime),
                thread,
                host,
                attempt,
                detail);
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        // Never half of a surrogate pair: it could not be encoded.
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
