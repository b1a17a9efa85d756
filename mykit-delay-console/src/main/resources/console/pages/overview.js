import {h, useMemo} from '../view.js';
import {t, tx, word} from '../i18n.js';
import {get, usePoll} from '../api.js';
import {href} from '../router.js';
import {Ago, Badge, Count, Heading, Name, Notice, Panel, Since, Table, Time} from '../widgets.js';
import {Work} from '../work.js';
import {FlowCharts, Windows, appendSeries} from '../series.js';
import {Due} from '../due.js';
import * as f from '../format.js';

export function Overview({overview}) {
    const series = usePoll((abort, last) => appendSeries(last, abort), 5000, []);
    const due = usePoll(abort => get('due', [['slots', '60s:60,1h:24,1d:30']], abort), data => (data?.running ? 3000 : 30_000), []);
    return h('div', {class: 'overview', 'data-test-page': 'overview'},
        h(Heading, {text: t('nav.overview'), tools: h('span', {class: 'hint'}, t('frame.zoneNow', {zone: f.zoneName(), offset: f.offset()}))}),
        h(Panel, {poll: overview, what: 'GET /overview', test: 'numbers', class: 'plain'}, data => [
            h(Leader, {data}), h(Numbers, {counts: data.counts ?? {}})]),
        h(Panel, {title: t('series.title'), poll: series, what: 'GET /series', test: 'series', height: 'high',
            tools: series.data?.points.length > 0 && h(Windows, {points: series.data.points}),
            empty: t('series.empty'), isEmpty: data => data.points.length === 0}, data => h(FlowCharts, {data})),
        h(Panel, {title: t('due.title'), poll: due, what: 'GET /due', test: 'due', height: 'high'}, data => h(Due, {data})),
        h('div', {class: 'columns'},
            h('div', null,
                h(Panel, {title: t('nodes.title'), poll: overview, test: 'nodes'}, data => h(Nodes, {data})),
                h(Panel, {title: t('work.title'), poll: overview, test: 'work', empty: t('work.empty'),
                    isEmpty: data => (data.work ?? []).length === 0}, data => data.work.map(work => h(Work, {key: work.id, work}))),
                h(DeadTopics)),
            h(Panel, {title: t('parts.title'), poll: overview, test: 'parts'}, data => h(Parts, {parts: data.parts ?? {}}))));
}

const IN_REDIS = new Set(['near', 'leased', 'parked']);

/** One sentence: a queue without a leader is the first thing to see. */
function Leader({data}) {
    const {leader} = data;
    if (!leader) {
        // Without the notes of the other nodes, no leader is known; there may be one.
        return data.nodesComplete === false ? h(Notice, {tone: 'warn', test: 'leader-unknown'}, t('leader.unknown'))
            : h(Notice, {tone: 'bad', test: 'no-leader'}, t('leader.none'));
    }
    return h('p', {class: 'leader', 'data-test': 'leader'}, h('span', null, tx('leader.leads', {
        node: h('strong', null, h(Name, {text: leader.node})), since: leader.since > 0 ? h(Since, {ms: leader.since}) : '–'
    })));
}

function Numbers({counts}) {
    const late = f.countOf(counts.overdue) > 0;
    const tiles = [
        ['near', counts.near, href('messages', [['status', 'DELAY,READY']])],
        ['far', counts.far, href('messages', [['status', 'WAIT_PUT']])],
        ['leased', counts.leased, href('messages', [['status', 'READY']])],
        ['overdue', counts.overdue, href('messages', [['status', 'WAIT_PUT,DELAY,READY'], ['dueTo', Math.floor(f.now())]]), late && 'warn'],
        ['dead', counts.dead, href('dead'), f.countOf(counts.dead) > 0 && 'bad'],
        ['parked', counts.parked, undefined, counts.parked > 0 && 'warn']];
    return h('ul', {class: 'tiles six'}, tiles.map(([name, value, link, tone]) => h('li', {key: name, class: tone || '', 'data-test': 'count-' + name},
        h('span', {class: 'label'}, word('count.', name)),
        h('span', {class: 'big'}, link === undefined ? h(Count, {value, compact: true}) : h('a', {href: link}, h(Count, {value, compact: true}))),
        h('span', {class: 'hint', title: counts.unknown?.[name] === undefined ? undefined : f.visibleLine(counts.unknown[name])},
            counts.unknown?.[name] !== undefined ? t(IN_REDIS.has(name) ? 'count.unknown.index' : 'count.unknown.store') : name === 'overdue' && counts.oldestOverdueMs > 0
            ? t('count.oldest', {d: f.duration(counts.oldestOverdueMs)}) : word('count.hint.', name)))));
}

function Nodes({data}) {
    const columns = [
        {label: t('field.node'), cell: node => [h(Name, {text: node.node}), node.node === data.answeredBy && h('span', {class: 'tag'}, t('nodes.this'))]},
        {label: t('field.role'), cell: node => h(Badge, {code: node.role, prefix: 'role.'})},
        {label: t('field.version'), cell: node => node.version ?? '–'},
        {label: t('field.up'), cell: node => (node.startedAt > 0 ? h(Since, {ms: node.startedAt}) : '–')},
        {label: t('field.seen'), cell: node => (node.seenAt > 0 ? h(Ago, {ms: node.seenAt}) : '–')}];
    return [
        h(Table, {caption: t('nodes.title'), columns, rows: data.nodes ?? [], keyOf: node => node.node}),
        data.nodesComplete === false && h('p', {class: 'hint', 'data-test': 'nodes-incomplete'}, t('nodes.incomplete'))];
}

/** The parts as a flat list; the channels stand among them. */
function Parts({parts}) {
    const rows = useMemo(() => Object.entries(parts).flatMap(([name, part]) => (name === 'channels'
        ? Object.entries(part).map(([channel, state]) => ({name: channel, channel: true, ...state})) : [{name, ...part}])), [parts]);
    return h('ul', {class: 'parts'}, rows.map(part => h('li', {key: part.name + (part.channel === true), 'data-test': 'part', 'data-up': String(part.up)},
        h(Badge, {code: part.up === false ? 'DOWN' : 'UP', prefix: 'part.state.'}),
        h('span', null, h('strong', null, part.channel ? t('part.channel', {name: part.name}) : word('part.', part.name)),
            part.word && part.up === false && h('span', null, ' ', word('warning.short.', part.word)),
            part.text && h('q', {class: 'detail'}, h(Name, {text: part.text})),
            part.up === false && h('span', {class: 'todo'}, ' ', word('part.down.', part.channel ? 'channel' : part.name))),
        part.since > 0 && h('span', {class: 'rel'}, t('since'), ' ', h(Since, {ms: part.since})))));
}

function DeadTopics() {
    const poll = usePoll(abort => get('dead', [['limit', 1000]], abort), 30_000, []);
    return h(Panel, {title: t('dead.top'), poll, what: 'GET /dead', test: 'dead-topics', empty: t('dead.empty'), isEmpty: list => list.length === 0}, list => h(Table, {
        caption: t('dead.top'), keyOf: row => row.topic, rows: [...list].sort((a, b) => f.countOf(b.count) - f.countOf(a.count)).slice(0, 5),
        columns: [
            {label: t('field.topic'), cell: row => h(Name, {text: row.topic, href: href('dead', [['topic', row.topic]])})},
            {label: t('field.dead'), class: 'num', cell: row => h(Count, {value: row.count})},
            {label: t('field.newest'), cell: row => h(Time, {ms: row.newest})}]
    }));
}

