package io.mykit.delay.channel.rocketmq;

import org.apache.rocketmq.logging.org.slf4j.ILoggerFactory;
import org.apache.rocketmq.logging.org.slf4j.IMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.Logger;
import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.BasicMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.apache.rocketmq.logging.org.slf4j.helpers.MessageFormatter;
import org.apache.rocketmq.logging.org.slf4j.helpers.NOPMDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.MDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.SLF4JServiceProvider;
import org.slf4j.LoggerFactory;

/**
 * Replaces the Logback inside the RocketMQ client, which would write files below the user's home directory. The client's
 * lines go to this server's SLF4J under {@code org.apache.rocketmq.*}, all of them at debug, because each failure also
 * returns as a result or an exception. The client's ServiceLoader finds this class. It works only if
 * {@code io.github.aliyunmq:rocketmq-logback-classic} is not on the class path.
 */
public final class QuietLogging implements SLF4JServiceProvider {
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
        return QuietLogger::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // The provider needs no preparation.
    }

    private static final class QuietLogger extends LegacyAbstractLogger implements Logger {
        private static final long serialVersionUID = 1L;

        private final transient org.slf4j.Logger target;

        QuietLogger(String rocketMqName) {
            name = rocketMqName;
            String prefix = rocketMqName.startsWith("org.apache.rocketmq") ? "" : "org.apache.rocketmq.";
            target = LoggerFactory.getLogger(prefix + rocketMqName);
        }

        @Override
        public boolean isTraceEnabled() {
            return target.isTraceEnabled();
        }

        @Override
        public boolean isDebugEnabled() {
            return target.isTraceEnabled();
        }

        @Override
        public boolean isInfoEnabled() {
            return target.isDebugEnabled();
        }

        @Override
        public boolean isWarnEnabled() {
            return target.isDebugEnabled();
        }

        @Override
        public boolean isErrorEnabled() {
            return target.isDebugEnabled();
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] arguments, Throwable thrown) {
            target.debug(MessageFormatter.arrayFormat(pattern, arguments).getMessage(), thrown);
        }
    }
}
