package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.audit.AuditedAction;
import io.mykit.delay.ports.call.Request;
import java.util.function.Supplier;

/** Gives each call that acts a row of the record, before it acts. Thread-safe; blocks. */
public final class Recorded {
    private final AuditTrail record;

    public Recorded(AuditTrail record) {
        this.record = record;
    }

    /**
     * Carries out a call.
     *
     * @param caller the name of the account
     * @param object that the call changes
     */
    public <T> T act(Request request, String caller, String action, String object, Supplier<T> work) {
        return record.recorded(
                new AuditedAction(caller, request.address(), action, object, "by lmstfy's admin port"), work);
    }
}
