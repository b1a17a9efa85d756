package io.mykit.delay.queue.store.mybatis;

import java.util.ArrayList;
import java.util.List;

/** Cuts long lists of ids, so that no statement becomes longer than servers and drivers like. */
final class Chunks {
    private static final int SIZE = Shapes.MAX_IDS;

    private Chunks() {}

    /** Views of the list, in order. */
    static List<List<String>> of(List<String> all) {
        List<List<String>> chunks = new ArrayList<>(all.size() / SIZE + 1);
        for (int from = 0; from < all.size(); from += SIZE) {
            chunks.add(all.subList(from, Math.min(from + SIZE, all.size())));
        }
        return chunks;
    }
}
