package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.mykit.delay.channel.Reasons;
import java.io.EOFException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Explains why there is no connection, for a person; without secrets. Immutable. */
final class ConnectFaults {
    private final String account;
    private final String virtualHost;
    private final String tls;

    ConnectFaults(RabbitMqSettings own) {
        account = own.name(RabbitMqSettings.USERNAME) + ", .password";
        virtualHost = own.name(RabbitMqSettings.VIRTUAL_HOST) + " = " + own.virtualHost();
        tls = own.tlsSetting();
    }

    String reason(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthenticationFailureException) {
                return "the broker refuses the account (" + account + "): " + Reasons.of(cause);
            }
            if (cause instanceof PossibleAuthenticationFailureException) {
                return "the broker ended the login, so it probably refuses the account (" + account + "): "
                        + SendFaults.reason(failure);
            }
            if (cause instanceof SSLException) {
                return "TLS failed (" + tls + "): " + Reasons.of(cause);
            }
            if (cause instanceof ShutdownSignalException signal && isOfVirtualHost(signal)) {
                return "the broker refuses the virtual host (" + virtualHost + "): " + SendFaults.reason(signal);
            }
        }
        String told = SendFaults.reason(failure);
        boolean connected = failure instanceof TimeoutException || failure instanceof EOFException;
        return connected ? "no AMQP 0-9-1 handshake (" + tls + "): " + told : told;
    }

    /** The broker names a virtual host that is missing or closed to the account by these codes, once it has let the account in. */
    private static boolean isOfVirtualHost(ShutdownSignalException signal) {
        if (!(signal.getReason() instanceof AMQP.Connection.Close close)) {
            return false;
        }
        int code = close.getReplyCode();
        return code == AMQP.NOT_ALLOWED || code == AMQP.NOT_FOUND || code == AMQP.INVALID_PATH;
    }
}
