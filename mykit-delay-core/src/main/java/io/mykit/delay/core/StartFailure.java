package io.mykit.delay.core;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.core.embedded.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reports why the server did not start: one line on the console, the stack trace in a file. The reason of a {@link StartException} needs no
 * file: it is whole, and often it is the data directory, which another server may be using. Stateless.
 */
final class StartFailure {
    private static final String NAME = "start-failure";
    private static final String SUFFIX = ".log";

    private StartFailure() {}

    /** One line with the reason, and the file with the details, if there is one. */
    static String report(Throwable failure, Path dataDir) {
        String line = "mykit-delay cannot start: " + reason(failure);
        if (failure instanceof StartException) {
            return line;
        }
        return write(failure, dataDir)
                .map(file -> line + "\nThe details are in " + file)
                .orElse(line);
    }

    private static String reason(Throwable failure) {
        if (isForOperators(failure)) {
            return failure.getMessage();
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = root.getClass().getSimpleName() + ": " + root.getMessage();
        return root == failure || failure.getMessage() == null ? why : failure.getMessage() + " (" + why + ")";
    }

    /** Whether the message is a whole sentence, and the place in the code tells nothing more. */
    private static boolean isForOperators(Throwable failure) {
        return failure instanceof StartException
                || failure instanceof ConfigException
                || (failure.getClass() == IllegalStateException.class
                        && failure.getCause() == null
                        && failure.getMessage() != null);
    }

    private static Optional<Path> write(Throwable failure, Path dataDir) {
        try {
            return Optional.of(writeTo(dataDir.resolve(NAME + SUFFIX), failure));
        } catch (IOException e) {
            // The data directory itself may be the cause.
            failure.addSuppressed(e);
        }
        try {
            // Other accounts write there too, so no name is fixed.
            return Optional.of(writeTo(Files.createTempFile(NAME + "-", SUFFIX), failure));
        } catch (IOException e) {
            failure.addSuppressed(e);
            return Optional.empty();
        }
    }

    private static Path writeTo(Path file, Throwable failure) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            failure.printStackTrace(out);
        }
        return file.toAbsolutePath().normalize();
    }
}
