package io.mykit.delay.test.fault.history;

/**
 * An answer to a team.
 *
 * @param team the name of its namespace
 * @param call for people
 * @param foreign what the answer had of others; empty = nothing
 */
public record Shown(String team, String call, String foreign) {}
