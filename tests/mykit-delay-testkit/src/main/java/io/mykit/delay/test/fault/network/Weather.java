package io.mykit.delay.test.fault.network;

/** The way in which a wire treats the bytes that are sent over it. */
public enum Weather {
    /** All bytes pass. */
    FAIR,
    /** Connections are closed, new ones too. */
    CUT,
    /** Connections stay and are made, but no byte passes; bytes that were sent meanwhile pass when the weather is fair again. */
    SILENT,
    /** All bytes pass, a fifth of a second late each way. */
    SLOW,
    /**
     * To MySQL: a COMMIT passes, and nothing comes back over its connection any more, which is closed when the weather changes.
     * Everything else passes.
     */
    DOUBTFUL
}
