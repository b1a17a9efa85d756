/**
 * Tries to break the promises: runs a workload on the packaged servers while a seeded schedule of faults is carried out,
 * and judges the outcome. {@code bin/chaos} begins here, and so does the short selection of the build.
 */
package io.mykit.delay.test.fault;
