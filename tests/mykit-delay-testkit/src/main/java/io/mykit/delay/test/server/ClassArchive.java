package io.mykit.delay.test.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The archive of the classes of a Java server (JEP 350), in the directory {@code target} of the module that runs. With it a broker
 * starts with half of the work. The first process of a class path writes it when it answers; those that start meanwhile do without.
 * For one process.
 */
final class ClassArchive implements AutoCloseable {
    static final ClassArchive NONE = new ClassArchive(System.getProperty("java.class.path"), null, null);

    private static final long WRITE_SECONDS = 120;

    private final String classPath;
    private final Path file;
    /** Open while this process is to write the archive. */
    private FileChannel lock;

    private ClassArchive(String classPath, Path file, FileChannel lock) {
        this.classPath = classPath;
        this.file = file;
        this.lock = lock;
    }

    /**
     * The archive for a main class on this JVM's class path. Only classes in jars can be in it, so a main class in a directory, as in
     * a development environment, has none.
     */
    static ClassArchive of(String mainClass) {
        String all = System.getProperty("java.class.path");
        List<Path> entries = Arrays.stream(all.split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        Path classFile = Path.of(mainClass.replace('.', '/') + ".class");
        Path target = Path.of("target").toAbsolutePath();
        if (entries.stream().anyMatch(entry -> Files.exists(entry.resolve(classFile))) || !Files.isDirectory(target)) {
            return new ClassArchive(all, null, null);
        }
        List<Path> jars = entries.stream().filter(Files::isRegularFile).toList();
        String classPath = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        String simpleName = mainClass.substring(mainClass.lastIndexOf('.') + 1);
        int state = jars.stream().map(ClassArchive::state).toList().hashCode();
        Path file = target.resolve("classes-of-" + simpleName + "-" + Integer.toHexString(state) + ".jsa");
        return new ClassArchive(classPath, file, Files.exists(file) ? null : lock(file));
    }

    private static String state(Path jar) {
        File it = jar.toFile();
        return jar + " " + it.length() + " " + it.lastModified();
    }

    /** The right to write the archive, or null if another process has it. */
    private static FileChannel lock(Path file) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(Path.of(file + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock held = channel.tryLock();
            if (held != null) {
                return channel;
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            closed(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return null;
    }

    private static void closed(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String classPath() {
        return classPath;
    }

    /** Options of the JVM. */
    List<String> options() {
        if (file == null) {
            return List.of();
        }
        if (lock != null) {
            return List.of("-XX:+RecordDynamicDumpInfo");
        }
        return Files.exists(file) ? List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off") : List.of();
    }

    /** The process answers: it has loaded what a start loads. */
    void record(long pid) {
        if (lock == null) {
            return;
        }
        Path part = Path.of(file + ".part");
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process dump = new ProcessBuilder(jcmd, Long.toString(pid), "VM.cds", "dynamic_dump", part.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(file + ".log")))
                    .start();
            if (dump.waitFor(WRITE_SECONDS, TimeUnit.SECONDS) && dump.exitValue() == 0 && Files.exists(part)) {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
            dump.destroyForcibly();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        if (lock != null) {
            closed(lock);
            lock = null;
        }
    }
}
