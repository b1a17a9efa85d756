package io.mykit.delay.test.docs;

import static java.util.stream.Collectors.toMap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Links between the pages below one directory. Immutable. */
final class Links {
    private final Map<Path, Page> pages;

    /** @param root of the repository or of the distribution */
    Links(Path root) {
        this.pages = Page.below(root).stream().collect(toMap(page -> page.file, page -> page));
    }

    /** Links that lead to no file, or to no heading in it. */
    List<String> broken() {
        List<String> broken = new ArrayList<>();
        for (Page page : pages.values()) {
            for (String link : page.links()) {
                boolean local = !link.matches("[a-z]+:.*");
                if (local && !leadsSomewhere(page, link)) {
                    broken.add(page + ": " + link);
                }
            }
        }
        return broken;
    }

    private boolean leadsSomewhere(Page from, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target =
                path.isEmpty() ? from.file : from.file.resolveSibling(path).normalize();
        if (hash < 0) {
            return Files.exists(target);
        }
        Page page = pages.get(target);
        return page != null && page.anchors().contains(link.substring(hash + 1));
    }
}
