package io.mykit.delay.grape.call;

/** The errors of callers that have a code in Grape's API. */
public enum GrapeError {
    TUBE_UNKNOWN(1000),
    TUBE_EMPTY(1001),
    TUBE_ILLEGAL(1002),
    TUBE_TOO_LONG(1003),
    JOB_ID(2001),
    JOB_DTR(2002),
    JOB_TTR(2003);

    private final int code;

    GrapeError(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
