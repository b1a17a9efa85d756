package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.audit.AuditedAction;
import io.mykit.delay.access.audit.Sample;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Request;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each call that acts a row of the record, before it acts, and some of the refused logins. Thread-safe; blocks. */
public final class Recorded {
    private static final Logger LOG = LoggerFactory.getLogger(Recorded.class);

    private final AuditTrail record;
    private final Sample refusals = new Sample(System::nanoTime);

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

    /** Whether a refused login from this address is to be written. Does not block. */
    public boolean takes(String address) {
        return refusals.takes(address);
    }

    /** Writes a refused login. The refusal does not depend on the row. */
    public void refusedLogin(String address) {
        try {
            record.note(
                    new AuditedAction("", address, "login", "", "unknown account of lmstfy's admin port"),
                    ErrorCode.UNAUTHORIZED.name());
        } catch (DelayException e) {
            LOG.debug("A refused login from {} is not in the audit", address, e);
        }
    }
}
