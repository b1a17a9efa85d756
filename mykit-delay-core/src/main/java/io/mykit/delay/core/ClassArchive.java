package io.mykit.delay.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archive of loaded classes (CDS) that halves the work of the next start. The start script names the file if there is
 * none yet. The archive is written after a clean start and a clean stop, so that it holds the classes that a run needs. It
 * is never written before the stop, because the JVM pauses during the write.
 */
final class ClassArchive {
    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
    private static final String PROPERTY = "mykit.delay.class-archive";

    private ClassArchive() {}

    /** Takes one to three seconds. A failure only makes the next start slower. */
    static void writeIfAskedFor() {
        String file = System.getProperty(PROPERTY, "");
        if (file.isEmpty()) {
            return;
        }
        LOG.info("Writing the archive of loaded classes, with which later starts take half the time");
        PrintStream out = System.out;
        try {
            // The JVM prints a line that is no line of a log.
            System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
            // The file appears complete or not at all: neither the JVM nor the script would replace a half-written one.
            Path part = Path.of(file + "." + ProcessHandle.current().pid());
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmCds",
                            new Object[] {new String[] {"dynamic_dump", part.toString()}},
                            new String[] {String[].class.getName()});
            Files.move(part, Path.of(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (Exception e) {
            LOG.debug("The JVM wrote no class archive; the next start takes as long as this one", e);
        } finally {
            System.setOut(out);
        }
    }
}
