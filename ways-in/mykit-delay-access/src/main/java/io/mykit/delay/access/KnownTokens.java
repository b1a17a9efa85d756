package io.mykit.delay.access;

import io.mykit.delay.common.error.DelayException;

/** The tokens that administrators have made, as this node knows them. Thread-safe; does not block. */
public interface KnownTokens {
    /** There are none. */
    KnownTokens NONE = new KnownTokens() {
        @Override
        public Found find(String token) {
            return Found.NOTHING;
        }

        @Override
        public boolean any() {
            return false;
        }

        @Override
        public boolean anyHas(Role... roles) {
            return false;
        }
    };

    /** The caller with this token, which came from outside. */
    Found find(String token);

    /** Whether there is a token, usable or not. */
    boolean any();

    /** Whether there is a token with one of these roles, usable or not. */
    boolean anyHas(Role... roles);

    /**
     * What is known of a token.
     *
     * @param refusal why it is not accepted: UNAUTHORIZED or STORE_UNAVAILABLE; null = it is accepted, or does not have the form of these
     *     tokens
     */
    record Found(Principal caller, DelayException refusal) {
        static final Found NOTHING = new Found(Principal.ANONYMOUS, null);

        public static Found refused(DelayException why) {
            return new Found(Principal.ANONYMOUS, why);
        }
    }
}
