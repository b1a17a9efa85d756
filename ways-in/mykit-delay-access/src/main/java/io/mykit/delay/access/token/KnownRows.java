package io.mykit.delay.access.token;

import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of one read of the store. Immutable. */
final class KnownRows {
    static final KnownRows NONE = new KnownRows(Map.of(), EnumSet.noneOf(Role.class), Map.of());

    private final Map<String, Row> byHash;
    private final Set<Role> roles;
    private final Map<String, NamespaceLimits> namespaces;

    private KnownRows(Map<String, Row> byHash, Set<Role> roles, Map<String, NamespaceLimits> namespaces) {
        this.byHash = byHash;
        this.roles = roles;
        this.namespaces = namespaces;
    }

    static KnownRows of(List<StoredToken> tokens, List<StoredNamespace> namespaces) {
        Map<String, NamespaceLimits> limits =
                namespaces.stream().collect(Collectors.toUnmodifiableMap(StoredNamespace::name, NamespaceLimits::of));
        Map<String, Row> byHash = new HashMap<>();
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (StoredToken token : tokens) {
            Principal caller = Principal.of(token, limits.getOrDefault(token.namespace(), NamespaceLimits.NONE));
            byHash.put(token.hash(), new Row(token, caller));
            roles.addAll(caller.roles());
            if (caller.isConfined()) {
                // A namespace is closed to callers without a token, whatever the roles of its tokens are.
                roles.add(Role.PRODUCER);
            }
        }
        return new KnownRows(byHash, roles, limits);
    }

    Optional<Row> withHash(String hash) {
        return Optional.ofNullable(byHash.get(hash));
    }

    boolean hasNamespace(String name) {
        return namespaces.containsKey(name);
    }

    NamespaceLimits limits(String namespace) {
        return namespaces.getOrDefault(namespace, NamespaceLimits.NONE);
    }

    int namespaces() {
        return namespaces.size();
    }

    boolean isEmpty() {
        return byHash.isEmpty();
    }

    boolean anyHas(Role... some) {
        return Arrays.stream(some).anyMatch(roles::contains);
    }

    record Row(StoredToken token, Principal caller) {}
}
