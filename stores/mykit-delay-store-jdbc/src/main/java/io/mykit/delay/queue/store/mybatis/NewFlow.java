package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/**
 * A row that is to be inserted into {@code mykit_delay_queue_job_log}. Texts that are too long are cut.
 *
 * @param from null for the first row of a message
 * @param time see {@link UtcTime#text}
 */
record NewFlow(
        String id,
        MessageStatus from,
        MessageStatus to,
        int attempt,
        String thread,
        String host,
        String detail,
        String time) {
    /**
     * The largest size of a row. A character is at most three bytes of UTF-8, or an ASCII character with a backslash.
     */
    static final long MAX_BYTES = 3 * (193 + 60 + 128 + 250) + 100;

    static final int MAX_THREAD = 60;
    static final int MAX_HOST = 128;
    static final int MAX_DETAIL = 250;

    NewFlow {
        thread = cut(thread, MAX_THREAD);
        host = cut(host, MAX_HOST);
        detail = cut(detail, MAX_DETAIL);
    }

    /** Adds one row for each step. Each row begins with the status of the row before. */
    static void addTo(List<NewFlow> rows, Transition transition, String host, UtcTime.Texts times) {
        MessageStatus at = transition.from();
        for (Transition.Step step : transition.steps()) {
            rows.add(new NewFlow(
                    transition.id(),
                    at,
                    step.to(),
                    transition.attempts(),
                    transition.thread(),
                    host,
                    step.detail(),
                    times.of(step.atMs())));
            at = step.to();
        }
    }

    /** The row of the last step of a transition. */
    static NewFlow last(Transition transition, String host, UtcTime.Texts times) {
        List<Transition.Step> steps = transition.steps();
        Transition.Step last = steps.get(steps.size() - 1);
        return new NewFlow(
                transition.id(),
                steps.size() == 1
                        ? transition.from()
                        : steps.get(steps.size() - 2).to(),
                last.to(),
                transition.attempts(),
                transition.thread(),
                host,
                last.detail(),
                times.of(last.atMs()));
    }

    /** True if the columns that {@link #bindPlain} leaves out have their defaults. */
    boolean isPlain() {
        return attempt == 0 && detail.isEmpty();
    }

    /** Binds the columns in the order of "insertPlain" in FlowMapper.xml. Returns the number of the next parameter. */
    int bindPlain(PreparedStatement statement, int first) throws SQLException {
        int i = first;
        statement.setString(i++, id);
        if (from == null) {
            statement.setNull(i++, Types.INTEGER);
        } else {
            statement.setInt(i++, from.code());
        }
        statement.setInt(i++, to.code());
        statement.setString(i++, thread);
        statement.setString(i++, host);
        statement.setString(i++, time);
        return i;
    }

    /** Binds the columns in the order of "insert" in FlowMapper.xml. Returns the number of the next parameter. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        int i = bindPlain(statement, first);
        statement.setInt(i++, attempt);
        statement.setString(i++, detail);
        return i;
    }

    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        // Half of a surrogate pair could not be encoded.
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
