package io.mykit.delay.test.fault.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message as its producers know it.
 *
 * @param versions by their numbers
 * @param cancels in the order of their answers
 * @param restores by an operator
 * @param refusals the answers that told that a push of it was not carried out, for reports
 */
public record Pushed(
        String id,
        String topic,
        List<Version> versions,
        List<Cancel> cancels,
        List<Restore> restores,
        List<String> refusals) {

    /** A message that was pushed, and for which nothing was asked after that. */
    public Pushed(String id, String topic, List<Version> versions) {
        this(id, topic, versions, List.of(), List.of(), List.of());
    }

    public Pushed withVersions(List<Version> changed) {
        return new Pushed(id, topic, changed, cancels, restores, refusals);
    }

    public Pushed with(Cancel cancel) {
        return new Pushed(id, topic, versions, plus(cancels, cancel), restores, refusals);
    }

    public Pushed with(Restore restore) {
        return new Pushed(id, topic, versions, cancels, plus(restores, restore), refusals);
    }

    public Pushed refused(String how) {
        return new Pushed(id, topic, versions, cancels, restores, plus(refusals, how));
    }

    /** Whether a cancel was answered with success. */
    public boolean isCancelled() {
        return cancels.stream().anyMatch(Cancel::isCancelled);
    }

    /** Whether a call on it may have ended between its steps. */
    public boolean wasCut() {
        return cancels.stream().anyMatch(cancel -> !cancel.isLast())
                || restores.stream().anyMatch(restore -> !restore.done())
                || versions.stream().anyMatch(Version::wasCut);
    }

    public Version first() {
        return versions.get(0);
    }

    /** Whether some push of it was answered with success. */
    public boolean isAcknowledged() {
        return versions.stream().anyMatch(Version::isAcknowledged);
    }

    /** Which version has this body and due time. Versions with one body differ in their due times, and each is due later. */
    public Optional<Version> version(String body, long dueMs) {
        List<Version> same =
                versions.stream().filter(each -> each.body().equals(body)).toList();
        Optional<Version> latest = same.stream()
                .filter(each -> each.earliestDueMs() <= dueMs)
                .reduce((one, two) -> two.earliestDueMs() >= one.earliestDueMs() ? two : one);
        // One that is earlier than all of them is early, and still one of them.
        return latest.or(() -> same.stream().findFirst());
    }

    /** An acknowledged version that took the place of this one. */
    public Optional<Version> successor(Version version) {
        return versions.stream().filter(version::yieldsTo).findFirst();
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> longer = new ArrayList<>(list);
        longer.add(one);
        return List.copyOf(longer);
    }
}
