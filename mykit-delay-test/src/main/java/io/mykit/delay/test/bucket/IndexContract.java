package io.mykit.delay.test.bucket;

/** What every {@link io.mykit.delay.queue.bucket.MessageIndex} does, through both of its doors. */
public interface IndexContract
        extends LookupContract, TextContract, VersionContract, ScanContract, LeaseContract, OwnershipContract {}
