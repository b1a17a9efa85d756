package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Links between pages lead to a file, and to a heading in it. */
class LinksTest {
    private final Map<Path, Page> pages = new HashMap<>();

    @Test
    void eachLinkLeadsSomewhere() {
        Page.all().forEach(page -> pages.put(page.file, page));
        List<String> broken = new ArrayList<>();
        for (Page page : pages.values()) {
            for (String link : page.links()) {
                if (!link.matches("[a-z]+:.*") && !leadsSomewhere(page, link)) {
                    broken.add(page + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private boolean leadsSomewhere(Page from, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target =
                path.isEmpty() ? from.file : from.file.resolveSibling(path).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0
                || (pages.containsKey(target) && pages.get(target).anchors().contains(link.substring(hash + 1)));
    }
}
