package io.mykit.delay.test.bucket;

/** The contract of each {@link io.mykit.delay.queue.bucket.MessageIndex}, for both of its interfaces. */
public interface IndexContract
        extends LookupContract,
                TextContract,
                VersionContract,
                ScanContract,
                LeaseContract,
                RetakeContract,
                WithdrawContract,
                OwnershipContract,
                JointContract,
                HandOutContract,
                ReadyAtOnceContract,
                HoldContract,
                LapseContract,
                NotesContract,
                LimitsContract {}
