/** The forms of lmstfy's jobs: ids, attributes, the JSON of a job, and the array of a bulk publish. Stateless but for the counter of ids. */
package io.mykit.delay.lmstfy.job;
