package io.mykit.delay.channel.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/** Writes texts in characters that a header may have. Stateless. */
public final class HeaderText {
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_:/-]+");
    private static final String ENCODED = "b64_";
    private static final int FIRST_VISIBLE = 0x21;
    private static final int LAST_VISIBLE = 0x7E;

    private HeaderText() {}

    /**
     * The id for {@code webhook-id}. A dot separates the signed parts, so an id with a dot or another unusual
     * character goes as Base64. The result is the same for each attempt, and different for different ids.
     */
    public static String id(String id) {
        return PLAIN_ID.matcher(id).matches() && !id.startsWith(ENCODED)
                ? id
                : ENCODED + Base64.getUrlEncoder().withoutPadding().encodeToString(id.getBytes(UTF_8));
    }

    /** Percent-encodes each byte (UTF-8) that is no visible ASCII character, and the percent sign: reversible. */
    public static String encoded(String text) {
        return encoded(text, FIRST_VISIBLE, "%");
    }

    /** Percent-encodes each byte (UTF-8) that is not ASCII, and controls. A header of the message stays as it is. */
    public static String ascii(String text) {
        return encoded(text, ' ', "");
    }

    private static String encoded(String text, int first, String also) {
        StringBuilder header = new StringBuilder(text.length());
        for (byte octet : text.getBytes(UTF_8)) {
            char character = (char) (octet & 0xFF);
            if (character >= first && character <= LAST_VISIBLE && also.indexOf(character) < 0) {
                header.append(character);
            } else {
                header.append(String.format(Locale.ROOT, "%%%02X", (int) character));
            }
        }
        return header.toString();
    }
}
