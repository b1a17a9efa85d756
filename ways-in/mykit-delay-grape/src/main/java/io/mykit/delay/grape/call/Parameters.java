package io.mykit.delay.grape.call;

import io.mykit.delay.ports.call.Query;
import java.util.Optional;

/** Reads the parameters of a request as Grape does. Stateless. */
public final class Parameters {
    private Parameters() {}

    /**
     * A time in milliseconds, with or without a sign.
     *
     * @param name {@code dtr} or {@code ttr}
     * @param least what a smaller or absent value counts as
     * @throws Refusal 400 if it is no number, or greater than {@code most}
     */
    public static long milliseconds(Query query, String name, GrapeError error, long least, long most) {
        Optional<String> text = query.find(name);
        if (text.isEmpty()) {
            return least;
        }
        long value;
        try {
            value = Long.parseLong(text.get());
        } catch (NumberFormatException noNumber) {
            throw Refusal.of(error, "job " + name + " is invalid");
        }
        if (value > most) {
            throw Refusal.of(error, "job " + name + " is greater than " + most);
        }
        return Math.max(least, value);
    }

    /**
     * The maximum of jobs that a client asks for.
     *
     * @param most a greater number counts as this one
     */
    public static int max(Query query, int most) {
        try {
            int max = query.find("max").map(Integer::parseInt).orElse(1);
            return Math.min(Math.max(1, max), most);
        } catch (NumberFormatException noNumber) {
            // Grape takes it for one job.
            return 1;
        }
    }

    /**
     * The id of a job.
     *
     * @throws Refusal 400
     */
    public static String jid(Query query) {
        return query.find("jid")
                .filter(jid -> !jid.isEmpty())
                .orElseThrow(() -> Refusal.of(GrapeError.JOB_ID, "job id is empty"));
    }

    /** The name of a tube; empty = none. */
    public static String tube(Query query) {
        return query.find("tube").orElse("");
    }
}
