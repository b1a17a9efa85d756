package io.mykit.delay.test.fault.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassReader;

/** Packs the agent for a server under test, from this JVM's own class path. */
public final class AgentJar {
    private static final List<Class<?>> CLASSES = List.of(
            ServerAgent.class,
            Tripwire.class,
            WrongClock.class,
            Weaver.class,
            Point.class,
            Point.Side.class,
            Tripwire.Deed.class);
    private static final List<String> INNER = List.of("Weaver$Wires", "Weaver$Wired", "Weaver$ClockConstructor");

    private AgentJar() {}

    /** Writes it into this directory, which is there. */
    public static Path write(Path directory) {
        Path jar = directory.resolve("server-agent.jar").toAbsolutePath();
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(new Attributes.Name("Premain-Class"), ServerAgent.class.getName());
        main.put(
                Attributes.Name.CLASS_PATH,
                ClassReader.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString());
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            for (Class<?> type : CLASSES) {
                add(entries, type.getName());
            }
            for (String inner : INNER) {
                add(entries, AgentJar.class.getPackageName() + "." + inner);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return jar;
    }

    private static void add(JarOutputStream entries, String className) throws IOException {
        String path = className.replace('.', '/') + ".class";
        entries.putNextEntry(new JarEntry(path));
        try (InputStream in = AgentJar.class.getResourceAsStream("/" + path)) {
            in.transferTo(entries);
        }
        entries.closeEntry();
    }
}
