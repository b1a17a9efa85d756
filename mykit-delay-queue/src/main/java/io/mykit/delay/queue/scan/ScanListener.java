package io.mykit.delay.queue.scan;

/** Who hears what a scanner found. Called from the scanner's thread; must return at once. */
public interface ScanListener {
    /** The ready list of this topic in this bucket may have got something. */
    void ready(int bucket, String topic);

    /** The index lost this bucket; it has been claimed and must be restored from the store. */
    void lost(int bucket);
}
