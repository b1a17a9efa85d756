package io.mykit.delay.test.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Commands with the account of the image, whose rights the modes of files limit. Stateless. */
final class Unprivileged {
    private static final String ID = "10001";
    private static final Set<PosixFilePermission> WRITE = EnumSet.of(
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private Unprivileged() {}

    /** The same command. Root may write everywhere, so root changes to the account of the image. */
    static List<String> command(List<String> command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + ID, "--regid=" + ID, "--clear-groups"));
        }
        all.addAll(command);
        return all;
    }

    /** Whether such commands are possible. */
    static boolean isPossible() {
        return !isRoot() || LintTest.isInstalled("setpriv");
    }

    /** Makes a directory that commands may write to. */
    static Path writable(Path dir) throws IOException {
        Files.createDirectories(dir);
        if (isRoot()) {
            Files.setAttribute(dir, "unix:uid", Integer.parseInt(ID));
            Files.setAttribute(dir, "unix:gid", Integer.parseInt(ID));
        }
        return dir;
    }

    /** Lets commands read everything below a directory, and write nothing. */
    static void readOnly(Path dir) throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path file : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
                mode.add(PosixFilePermission.OTHERS_READ);
                if (mode.contains(PosixFilePermission.OWNER_EXECUTE)) {
                    mode.add(PosixFilePermission.OTHERS_EXECUTE);
                }
                mode.removeAll(WRITE);
                Files.setPosixFilePermissions(file, mode);
            }
        }
    }

    /** Takes the modes back, so that the files can be removed. */
    static void removable(Path dir) throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path file : all.filter(Files::isDirectory).toList()) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
                mode.add(PosixFilePermission.OWNER_WRITE);
                Files.setPosixFilePermissions(file, mode);
            }
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
