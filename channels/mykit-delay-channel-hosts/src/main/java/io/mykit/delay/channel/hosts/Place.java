package io.mykit.delay.channel.hosts;

/** The right to one request, from {@link Places}. */
interface Place {
    /** Reports what the request showed about its receiver. Not called if the request was not sent, and once at most. */
    void saw(Sign sign);

    /** Gives the place back; called once. */
    void leave();
}
