package io.mykit.delay.test.fault.network;

/** What a wire does with what is sent over it. */
public enum Weather {
    /** Everything passes. */
    FAIR,
    /** Connections are closed, new ones too. */
    CUT,
    /** Connections stay and are made, but no byte passes; what was sent meanwhile passes once it is fair again. */
    SILENT,
    /** Everything passes, a fifth of a second late each way. */
    SLOW,
    /**
     * To MySQL: a COMMIT passes, and nothing comes back over its connection any more, which is closed when the weather changes.
     * Everything else passes.
     */
    DOUBTFUL
}
