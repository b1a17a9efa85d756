package io.mykit.delay.core;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archive of loaded classes (CDS) that halves the work of the next start. The start script says where it goes, if
 * there is none yet. Written after a run that started and stopped as it should, so that it holds what a run needs; never
 * before the stop, since the JVM stands still while it is written.
 */
final class ClassArchive {
    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
    private static final String PROPERTY = "mykit.delay.class-archive";

    private ClassArchive() {}

    /** Takes one to three seconds. Failing costs nothing but the next start's time. */
    static void writeIfAskedFor() {
        String file = System.getProperty(PROPERTY, "");
        if (file.isEmpty()) {
            return;
        }
        try {
            // Whole or not at all: the JVM would not mend a half-written one, nor would the script ask again.
            Path part = Path.of(file + "." + ProcessHandle.current().pid());
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmCds",
                            new Object[] {new String[] {"dynamic_dump", part.toString()}},
                            new String[] {String[].class.getName()});
            Files.move(part, Path.of(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (Exception e) {
            LOG.debug("no class archive was written", e);
        }
    }
}
