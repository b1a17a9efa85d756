<#-- One line a library: its coordinates and the files with the texts of its licenses. -->
Libraries of mykit-delay
========================

Each line has group, artifact and version of a jar in lib/, and its licenses. If a line has several licenses, each user may choose one.
licenses/ has the text of each license. libraries/<artifact>/ has the texts and notices that the library itself brings.

<#list dependencyMap as e>
${e.key.groupId}:${e.key.artifactId}:${e.key.version} | ${e.value?join(", ")}
</#list>

Parts inside these jars
=======================

Each line has the jar in lib/, the part, its license, and the file with the text.

mykit-delay-console | Preact 10.28.0, scripts of the console | MIT | libraries/mykit-delay-console/console/vendor/LICENSE
embedded-redis | redis-server 7.0.15, programs for Linux and macOS | BSD-3-Clause | libraries/embedded-redis/LICENSE-redis.txt
sqlite-jdbc | SQLite, native libraries | Public-Domain | licenses/Public-Domain.txt
sqlite-jdbc | code of the driver by David Crawshaw | BSD-2-Clause | libraries/sqlite-jdbc/META-INF/maven/org.xerial/sqlite-jdbc/LICENSE.zentus
prometheus-metrics-exposition-formats | Protocol Buffers, Java classes | BSD-3-Clause | libraries/prometheus-metrics-exposition-formats/LICENSE-protobuf.txt
