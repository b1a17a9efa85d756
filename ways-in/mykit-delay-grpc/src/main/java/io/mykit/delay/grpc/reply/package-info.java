/** The statuses of calls that fail, and the errors of items in a batch. Any thread. */
package io.mykit.delay.grpc.reply;
