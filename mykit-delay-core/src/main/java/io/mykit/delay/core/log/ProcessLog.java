package io.mykit.delay.core.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.LogConfig;
import io.mykit.delay.queue.leader.LeaderElector;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/**
 * The log of this process. Logback reads {@code conf/logback.xml} before the configuration is known; this class then applies
 * {@code mykit.delay.log.*}. One thread makes it.
 */
public final class ProcessLog {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ProcessLog.class);
    private static final String OWN = "io.mykit.delay";
    private static final String PLAIN = "%d{yyyy-MM-dd HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n";

    private final LogConfig config;
    private final LoggerContext context;
    private final NodeFacts facts;

    private ProcessLog(LogConfig config, LoggerContext context, NodeFacts facts) {
        this.config = config;
        this.context = context;
        this.facts = facts;
    }

    /**
     * Applies the configuration.
     *
     * @throws ConfigException if the file cannot be written
     */
    public static ProcessLog begin(LogConfig config, String queue, String version) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ProcessLog log = new ProcessLog(config, context, new NodeFacts(queue, version));
        context.getLogger(OWN).setLevel(Level.toLevel(config.level().name()));
        if (!config.requests().equals("off")) {
            // log.requests alone decides about these lines.
            context.getLogger(RequestLog.LOGGER).setLevel(Level.INFO);
        }
        // Each acting call has its line, whatever the level.
        context.getLogger(AuditTrail.LOGGER).setLevel(Level.INFO);
        if (log.isJson()) {
            log.console(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME));
        }
        config.file().ifPresent(log::file);
        return log;
    }

    /** Only warnings are logged: for a command, whose output is its answer. */
    public static void onlyWarnings() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(OWN).setLevel(Level.WARN);
    }

    /** Prints a text for a person; as a JSON line, if each line of the console has to be one. */
    public void tell(String text) {
        if (isJson()) {
            LOG.info(text);
        } else {
            System.out.println(text);
        }
    }

    /** The same for a failure, on the stream of errors. */
    public void complain(String text) {
        if (isJson()) {
            LOG.error(text);
        } else {
            System.err.println(text);
        }
    }

    private boolean isJson() {
        return config.format() == LogConfig.Format.JSON;
    }

    /** From now on JSON lines have the name and the role of this node. */
    public void identify(String node, LeaderElector elector) {
        facts.identify(node, elector);
    }

    /** The levels of the loggers, for operators. */
    public LogbackLevels levels(InstantSource clock) {
        return new LogbackLevels(context, clock);
    }

    private void console(Logger root) {
        for (Iterator<Appender<ILoggingEvent>> all = root.iteratorForAppenders(); all.hasNext(); ) {
            if (all.next() instanceof ConsoleAppender<ILoggingEvent> console) {
                Encoder<ILoggingEvent> former = console.getEncoder();
                console.setEncoder(encoder());
                former.stop();
            }
        }
    }

    private void file(Path given) {
        Path file = given.toAbsolutePath().normalize();
        requireWritable(file);
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        GzipFiles files = new GzipFiles(file, config.maxFiles());
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setMaxFileSize(new FileSize(config.maxSize()));
        size.setCheckIncrement(Duration.buildBySeconds(1));
        appender.setContext(context);
        files.setContext(context);
        size.setContext(context);
        appender.setName("file");
        appender.setFile(file.toString());
        appender.setEncoder(encoder());
        appender.setRollingPolicy(files);
        appender.setTriggeringPolicy(size);
        files.setParent(appender);
        files.start();
        size.start();
        appender.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    private Encoder<ILoggingEvent> encoder() {
        Encoder<ILoggingEvent> encoder;
        if (isJson()) {
            encoder = new JsonLines(facts);
        } else {
            PatternLayoutEncoder plain = new PatternLayoutEncoder();
            plain.setPattern(PLAIN);
            plain.setCharset(UTF_8);
            encoder = plain;
        }
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    /** Logback would go on without the file, and nothing but the missing file would show it. */
    private static void requireWritable(Path file) {
        try {
            Files.createDirectories(file.getParent());
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException failed) {
            throw new ConfigException("mykit.delay.log.file: " + file + " cannot be written: " + failed, failed);
        }
    }
}
