package io.mykit.delay.queue.recovery;

import java.util.List;

/** The change of a page of dead letters. One thread. */
interface DeadPage {
    /**
     * Changes the dead letters of a page.
     *
     * @param first the number of the first of them in the walk, from 0
     * @return how many were changed
     */
    int change(List<String> ids, long first);
}
