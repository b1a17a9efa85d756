package io.mykit.delay.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The text of a token: {@code mykd_}, an id of 12 characters, {@code _}, and 32 characters that are 160 random bits. The beginning lets
 * people and scanners of sources recognise a token. Only its hash is stored. It is hashed once: nobody can try 160 random bits. Stateless.
 */
public final class TokenText {
    private static final String PREFIX = "mykd_";
    private static final int ID = 12;
    private static final int SECRET = 32;
    /** The digits of Crockford's Base32: no I, L, O, U. */
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final Pattern FORM =
            Pattern.compile(PREFIX + "[" + DIGITS + "]{" + ID + "}_[" + DIGITS + "]{" + SECRET + "}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenText() {}

    static String next() {
        return PREFIX + random(ID) + "_" + random(SECRET);
    }

    /** Whether a text may be a token of this form. */
    static boolean matches(String text) {
        return text.length() == PREFIX.length() + ID + 1 + SECRET
                && FORM.matcher(text).matches();
    }

    /** A text in which each token of this form is replaced by {@code ***}, for records. */
    public static String hidden(String text) {
        return FORM.matcher(text).replaceAll("***");
    }

    /** The part that may be shown. */
    static String id(String token) {
        return token.substring(PREFIX.length(), PREFIX.length() + ID);
    }

    /** The SHA-256 in hexadecimal digits. */
    static String hash(String token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java runtime has SHA-256", e);
        }
    }

    private static String random(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(DIGITS.charAt(RANDOM.nextInt(DIGITS.length())));
        }
        return text.toString();
    }
}
