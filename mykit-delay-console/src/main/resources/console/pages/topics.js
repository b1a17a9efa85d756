import {h, useState} from '../view.js';
import {t, word} from '../i18n.js';
import {get, post, usePoll} from '../api.js';
import {seesQueue, session} from '../session.js';
import {go, href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Ago, Badge, Button, Count, Facts, Field, Heading, Name, Notice, Panel, Select, Since, Table, Time, errorText} from '../widgets.js';
import {clearAction} from '../clearing.js';
import {Policy} from '../policy.js';
import {TopicCharts} from '../series.js';
import {StatusBadge} from '../trouble.js';
import * as f from '../format.js';

const SORTS = ['trouble', 'name', 'overdue', 'waiting', 'dead'];

export function Topics({params}) {
    const topic = params.get('topic');
    return topic === null ? h(List, {params}) : h(Topic, {key: topic, topic});
}

const TONES = new Map([['paused', 'warn'], ['differs', 'bad'], ['backsOff', 'bad'], ['noConsumer', 'warn'], ['late', 'warn'], ['runs', 'good']]);

/** Only the leader knows which topics wait or back off; on another node the state may be unknown. */
function TopicState({topic}) {
    const {pausedUntil, differs, backsOff} = topic;
    const state = topic.trouble ?? topic.state;
    return h('span', {'data-test': 'topic-state', 'data-state': state}, h(Badge, {code: state, prefix: 'topic.', tone: TONES.get(state)}),
        state === 'paused' && pausedUntil > 0 && h('span', {class: 'rel'}, ' ', t('topic.until'), ' ', h(Time, {ms: pausedUntil, rel: false})),
        differs?.reason && h('q', {class: 'detail'}, h(Name, {text: differs.reason})),
        backsOff && h('span', {class: 'rel'}, ' ', t('since'), ' ', h(Since, {ms: backsOff.since})),
        backsOff?.reason && h('q', {class: 'detail'}, h(Name, {text: backsOff.reason})));
}

function List({params}) {
    const prefix = params.get('prefix') ?? '';
    const sort = params.get('sort') ?? 'trouble';
    const trouble = params.get('trouble') === 'true';
    const after = params.get('after') ?? '';
    const [typed, setTyped] = useState(prefix);
    const poll = usePoll(abort => get('topics', [['prefix', prefix], ['sort', sort], ['trouble', trouble], ['after', after], ['limit', 50]], abort), 0,
        [prefix, sort, trouble, after]);
    const troubled = poll.data?.troubled;
    const show = (more, at = '') => go('topics', [['prefix', prefix], ['sort', sort], ['trouble', trouble || ''], ...more, ['after', at]].filter(([name], i, all) =>
        all.findLastIndex(([other]) => other === name) === i));
    const columns = [
        {label: t('field.topic'), cell: row => h(Name, {text: row.topic, href: href('topics', [['topic', row.topic]])})},
        {label: t('field.channel'), cell: row => row.channel},
        {label: t('field.waiting'), class: 'num', cell: row => h(Count, {value: row.near})},
        {label: t('field.ready'), class: 'num', cell: row => h(Count, {value: row.ready})},
        {label: t('field.leased'), class: 'num', cell: row => h(Count, {value: row.leased})},
        {label: t('field.dead'), class: 'num', cell: row => (f.countOf(row.dead) > 0
            ? h('a', {href: href('dead', [['topic', row.topic]])}, h(Count, {value: row.dead})) : h(Count, {value: row.dead}))},
        {label: t('field.overdue'), class: 'num', cell: row => (row.oldestOverdueMs > 0 ? f.duration(row.oldestOverdueMs) : '–')},
        {label: t('field.state'), cell: row => h(TopicState, {topic: row})}];
    return h('div', {'data-test-page': 'topics'},
        h(Heading, {text: t('nav.topics')}),
        h('form', {class: 'filters', role: 'search', onSubmit: e => {
            e.preventDefault();
            show([['prefix', typed]]);
        }},
        h(Field, {label: t('topics.prefix')}, h('input', {value: typed, 'data-test': 'prefix', spellcheck: false, onInput: e => setTyped(e.target.value)})),
        h(Field, {label: t('topics.sort')}, h(Select, {value: sort, test: 'sort', onChange: by => show([['sort', by]]), options: SORTS.map(by => [by, word('topics.by.', by)])})),
        h('button', {class: 'button main', 'data-test': 'search'}, t('search')),
        h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload')),
        prefix !== '' && h('a', {class: 'button', href: href('messages', [['topicPrefix', prefix], ['status', 'WAIT_PUT,DELAY,READY']]), 'data-test': 'to-messages'}, t('nav.messages')),
        h('label', {class: 'chip' + (trouble ? ' on' : ''), 'data-test': 'troubled'},
            h('input', {type: 'checkbox', checked: trouble, 'data-test': 'trouble', onChange: () => show([['trouble', trouble ? '' : true]])}),
            troubled === undefined ? t('topics.troubledOnly') : t('topics.troubled', {n: troubled, nText: f.number(troubled)}))),
        h(Panel, {poll, what: 'GET /topics', test: 'topics', height: 'high', empty: t(trouble ? 'topics.noTrouble' : 'topics.empty'), isEmpty: data => data.items.length === 0}, data => [
            h(Table, {
                test: 'topic-list', columns, rows: data.items, keyOf: row => row.topic,
                caption: h('span', {class: 'hint'}, t('topics.total', {n: data.total ?? data.items.length, nText: f.number(data.total ?? data.items.length)}), ' · ',
                    t('topics.caption'), ' ', data.asOf > 0 && h(Ago, {ms: data.asOf}), data.complete === false && [' · ', t('topics.incomplete')])
            }),
            h(Pages, {after, next: data.next, show: at => show([], at)})]));
}

function Pages({after, next, show}) {
    return h('p', {class: 'pages'},
        after !== '' && h(Button, {onClick: () => show('')}, t('pages.first')),
        next && h(Button, {onClick: () => show(next), 'data-test': 'next'}, t('pages.next')));
}

function Topic({topic}) {
    const poll = usePoll(abort => readTopic(topic, abort), 5000, [topic]);
    return h('div', {'data-test-page': 'topic'},
        h(Heading, {text: topic, tools: h('a', {href: href('topics')}, t('topics.all'))}, h(Name, {text: topic})),
        h(Panel, {poll, what: 'GET /topics', test: 'topic', height: 'high'}, one =>
            h('div', null, h(Actions, {topic: one, again: poll.again}), h(Numbers, {topic: one}), h(Consumers, {consumers: one.consumers}), h(Policy, {topic, settings: one.settings, policy: one.policy, again: poll.again}))),
        seesQueue() && h(TopicCharts, {topic}),
        session.acts && h(First, {topic, trouble: poll.data?.trouble ?? undefined}));
}

/** One topic with what only the list of all topics has: its trouble, and how many of its messages are in flight. */
async function readTopic(topic, abort) {
    const [[one], list] = await Promise.all([get('topics', [['topic', topic]], abort),
        get('topics', [['prefix', topic], ['sort', 'name'], ['limit', 1]], abort).catch(() => ({items: []}))]);
    // The name itself comes before longer names that begin with it.
    const row = list.items.find(item => item.topic === topic);
    return {...one, leased: one.channel === 'pull' ? one.taken : row?.leased ?? 0, trouble: row?.trouble};
}

/** The first messages in both states. Peeking into a topic is a right of operators. */
function First({topic, trouble}) {
    const peek = (state, abort) => get('peek', [['topic', topic], ['state', state], ['limit', 10]], abort);
    const first = usePoll(async abort => {
        const [ready, waiting] = await Promise.all([peek('ready', abort), peek('waiting', abort)]);
        return {ready, waiting, at: f.now()};
    }, 5000, [topic]);
    return h(Panel, {title: t('topic.first'), poll: first, what: 'GET /peek', test: 'first', empty: t('topic.noneInRedis'),
        isEmpty: data => data.ready.length + data.waiting.length === 0}, data => [
        data.ready.length > 0 && h(FirstOf, {name: 'ready', status: 'READY', list: data.ready, at: data.at, trouble}),
        data.waiting.length > 0 && h(FirstOf, {name: 'waiting', status: 'DELAY', list: data.waiting, at: data.at, trouble})]);
}

function FirstOf({name, status, list, at, trouble}) {
    return h(Table, {
        test: 'first-' + name, caption: h('h3', null, t('topic.first.' + name)), rows: list, keyOf: row => row.id, columns: [
            {label: t('field.id'), cell: row => h(Name, {text: row.id, href: href('messages', [['id', row.id]])})},
            {label: t('field.status'), cell: row => h(StatusBadge, {status, due: row.nextAttempt ?? row.dueTime, at, trouble})},
            {label: t('field.due'), cell: row => h(Time, {ms: row.nextAttempt ?? row.dueTime})},
            {label: t('field.attempts'), class: 'num', cell: row => f.number(row.attempts)},
            {label: t('field.bizKey'), cell: row => h(Name, {text: row.bizKey ?? ''})}]
    });
}

/** Who waits for messages of a pulled topic at this node, and who holds some. */
function Consumers({consumers}) {
    if (consumers === undefined) {
        return null;
    }
    return consumers.length === 0 ? h('p', {class: 'empty', 'data-test': 'no-consumers'}, t('consumers.none')) : h(Table, {
        test: 'consumers', caption: t('consumers.title'), rows: consumers, keyOf: row => row.consumer, columns: [
            {label: t('field.consumer'), cell: row => (row.consumer === '' ? '–' : h(Name, {text: row.consumer}))},
            {label: t('consumers.waiting'), class: 'num', cell: row => f.number(row.waiting)},
            {label: t('consumers.taken'), class: 'num', cell: row => f.number(row.taken)}]
    });
}

/** "In Redis" is the sum, as on all pages. Only consumers hold messages; those of a broker are in flight. */
function Numbers({topic}) {
    const tiles = [['near', topic.waiting + topic.ready + topic.leased], ['waiting', topic.waiting], ['ready', topic.ready],
        [topic.channel === 'pull' ? 'held' : 'leased', topic.leased], ['dead', topic.dead]];
    return h('div', null,
        h('ul', {class: 'tiles five'}, tiles.map(([name, value]) => h('li', {key: name, 'data-test': 'topic-' + name}, h('span', {class: 'label'}, word('count.', name)),
            h('span', {class: 'big'}, h(Count, {value, compact: true}))))),
        h(Facts, {rows: [
            [t('field.state'), h(TopicState, {topic})],
            [t('field.channel'), topic.channel],
            [t('field.overdue'), topic.oldestReady > 0 ? h(Since, {ms: topic.oldestReady}) : '–'],
            topic.backsOff?.tries > 0 && [t('topic.tries'), f.number(topic.backsOff.tries)]]}));
}

/** Pause and resume at once, with the opposite at hand; clear only after its number was seen and the name was typed. */
function Actions({topic, again}) {
    const [length, setLength] = useState('');
    const [answer, setAnswer] = useState(null);
    const [busy, setBusy] = useState(false);
    const name = topic.topic;

    async function act(path, body, text) {
        setBusy(true);
        try {
            await post(path, body);
            setAnswer({tone: 'good', text});
        } catch (e) {
            setAnswer({tone: 'bad', text: errorText(e)});
        } finally {
            setBusy(false);
            again();
        }
    }

    const wrong = length.trim() !== '' && !(f.parseDuration(length) >= 1000);
    return h('div', null,
        h('div', {class: 'filters'},
            session.acts && (topic.paused
                ? h(Button, {kind: 'main', disabled: busy, 'data-test': 'resume', onClick: () => act('topics/resume', {topic: name}, t('topic.resumed'))}, t('topic.resume'))
                : h('span', {class: 'pair'},
                    h('input', {value: length, placeholder: t('topic.for'), 'aria-label': t('topic.for'), 'aria-invalid': wrong, 'data-test': 'pause-for', onInput: e => setLength(e.target.value)}),
                    h(Button, {disabled: busy || wrong, 'data-test': 'pause', onClick: () => act('topics/pause',
                        length.trim() === '' ? {topic: name} : {topic: name, for: length.trim()}, t('topic.pausedNow'))}, t('topic.pause')))),
            session.acts && !topic.paused && topic.channel !== 'pull' && h(Button, {
                kind: topic.backsOff ? 'main' : '', disabled: busy, 'data-test': 'retry', onClick: () => act('topics/retry', {topic: name}, t('topic.retried'))
            }, t('topic.retry')),
            h('a', {class: 'button', href: href('messages', [['topic', name], ['status', 'WAIT_PUT,DELAY,READY']]), 'data-test': 'to-messages'}, t('nav.messages')),
            h('a', {class: 'button', href: href('dead', [['topic', name]])}, t('nav.dead')),
            session.pushes && h('a', {class: 'button', href: href('try', [['topic', name]])}, t('topic.push')),
            h('span', {class: 'fill'}),
            session.acts && h(Button, {kind: 'danger', 'data-test': 'clear', onClick: () => confirmAction(clearAction(name, again))}, t('topic.clear'))),
        answer !== null && h(Notice, {tone: answer.tone, test: 'answer'}, answer.text));
}
