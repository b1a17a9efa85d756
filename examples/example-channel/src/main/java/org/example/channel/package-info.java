/** A delivery channel that appends each message to a file: one line, the fields separated by tabs. */
package org.example.channel;
