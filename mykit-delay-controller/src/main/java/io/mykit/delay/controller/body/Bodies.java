package io.mykit.delay.controller.body;

import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.config.ConsoleConfig;
import io.mykit.delay.controller.call.Call;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which caller sees which content. Immutable. */
public final class Bodies {
    /** The parameter that shows masked values to an operator. */
    public static final String UNMASK = "unmask";

    private static final Logger LOG = LoggerFactory.getLogger(Bodies.class);

    private final ConsoleConfig.Bodies visible;
    private final Optional<MaskedNames> names;
    private final BooleanSupplier open;

    /** @param open whether there is no token; then each caller is an operator */
    public Bodies(ConsoleConfig config, BooleanSupplier open) {
        this.visible = config.bodies();
        this.names = config.mask().filter(text -> !text.isBlank()).map(MaskedNames::new);
        this.open = open;
    }

    /**
     * The view of this caller.
     *
     * @throws DelayException FORBIDDEN if another caller than an operator asks for masked values
     */
    public BodyView of(Call call) {
        boolean operator = call.caller().may(Role.OPERATOR) || open.getAsBoolean();
        boolean unmask = call.parameters().flag(UNMASK, false);
        if (unmask && !operator) {
            throw new DelayException(
                    ErrorCode.FORBIDDEN,
                    "unmask needs mykit.delay.http.admin-token, or a token with the role operator");
        }
        if (unmask && names.isPresent()) {
            LOG.info(
                    "The caller {} reads content without masks: {}",
                    call.caller().name(),
                    call.path());
        }
        boolean hidden =
                switch (visible) {
                    case ALL -> false;
                    case OPERATORS -> !operator;
                    case NONE -> true;
                };
        return new BodyView(hidden, unmask ? Optional.empty() : names, operator);
    }
}
