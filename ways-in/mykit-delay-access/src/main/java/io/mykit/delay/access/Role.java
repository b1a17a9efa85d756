package io.mykit.delay.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The role of a caller. A token proves it and may have several; a caller without a known token is anonymous. */
public enum Role {
    ANONYMOUS,
    PRODUCER,
    CONSUMER,
    /** A viewer reads and changes nothing. */
    VIEWER,
    /** An operator may make the calls of producers, consumers and viewers too. */
    OPERATOR,
    /** An administrator makes tokens, and may make all other calls too. */
    ADMIN;

    /** The roles that a token can have, in the order in which they are shown. */
    public static final List<Role> OF_TOKENS = List.of(PRODUCER, CONSUMER, VIEWER, OPERATOR, ADMIN);

    /** The role in JSON, in the table and on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a token with this word. */
    public static Optional<Role> of(String word) {
        return OF_TOKENS.stream().filter(role -> role.word().equals(word)).findFirst();
    }

    /** The words of roles, separated by commas. */
    public static String words(List<Role> roles) {
        return String.join(",", roles.stream().map(Role::word).toList());
    }

    /** The roles of these words. Words of a newer release are left out. */
    static List<Role> read(String words) {
        return Arrays.stream(words.split(",", -1))
                .map(Role::of)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether this role allows the calls of the other one. */
    public boolean includes(Role other) {
        return switch (this) {
            case ADMIN -> other != ANONYMOUS;
            case OPERATOR -> other == OPERATOR || other == PRODUCER || other == CONSUMER || other == VIEWER;
            default -> this == other;
        };
    }
}
