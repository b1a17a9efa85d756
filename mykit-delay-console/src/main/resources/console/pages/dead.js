import {h, useState} from '../view.js';
import {t, word} from '../i18n.js';
import {get, post, usePoll} from '../api.js';
import {session} from '../session.js';
import {go, href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Badge, Button, Count, Field, Heading, Name, Pages, Panel, Select, Table, Time} from '../widgets.js';
import * as f from '../format.js';

const REASONS = ['ATTEMPTS', 'REFUSED', 'BURIED'];
const PAGE = 100;

export function Dead({params}) {
    const topic = params.get('topic');
    return topic === null ? h(TopicsWithDead, {params}) : h(DeadOfTopic, {key: params.toString(), topic, params});
}

function TopicsWithDead({params}) {
    const prefix = params.get('prefix') ?? '';
    const [typed, setTyped] = useState(prefix);
    const poll = usePoll(abort => get('dead', [['prefix', prefix], ['limit', 1000]], abort), 0, [prefix]);
    return h('div', {'data-test-page': 'dead'},
        h(Heading, {text: t('nav.dead')}),
        h('form', {class: 'filters', onSubmit: e => {
            e.preventDefault();
            go('dead', [['prefix', typed]]);
        }},
        h(Field, {label: t('topics.prefix')}, h('input', {value: typed, 'data-test': 'prefix', spellcheck: false, onInput: e => setTyped(e.target.value)})),
        h('button', {class: 'button main'}, t('search')), h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload'))),
        h(Panel, {poll, what: 'GET /dead', test: 'dead', height: 'high', empty: t('dead.empty'), isEmpty: list => list.length === 0}, list => h(Table, {
            test: 'dead-list', caption: t('dead.caption'), rows: list, keyOf: row => row.topic, columns: [
                {label: t('field.topic'), cell: row => h(Name, {text: row.topic, href: href('dead', [['topic', row.topic]])})},
                {label: t('field.dead'), class: 'num', cell: row => h(Count, {value: row.count})},
                {label: t('field.oldest'), cell: row => h(Time, {ms: row.oldest})},
                {label: t('field.newest'), cell: row => h(Time, {ms: row.newest})}]
        })));
}

function DeadOfTopic({topic, params}) {
    const filter = {reason: params.get('reason') ?? '', since: params.get('since') ?? '', until: params.get('until') ?? ''};
    const [edited, setEdited] = useState(filter);
    const [after, setAfter] = useState([]);
    const query = [['topic', topic], ['reason', filter.reason], ['since', filter.since], ['until', filter.until], ['limit', PAGE], ['after', after.at(-1)], ['reasons', after.length === 0]];
    const poll = usePoll(abort => get('dead', query, abort), 0, [after]);
    const edit = (name, value) => setEdited(old => ({...old, [name]: value}));
    const wall = (name, label) => h(Field, {label: label + ' (' + f.offset() + ')'}, h('input', {
        type: 'datetime-local', step: 1, 'data-test': name, value: edited[name] === '' ? '' : f.toWall(Number(edited[name])),
        onChange: e => edit(name, e.target.value === '' ? '' : String(f.fromWall(e.target.value)))
    }));
    return h('div', {'data-test-page': 'dead-topic'},
        h(Heading, {text: `${t('nav.dead')}: ${topic}`, tools: h('a', {href: href('dead')}, t('topics.all'))}, t('nav.dead'), ' · ', h(Name, {text: topic})),
        h('form', {class: 'filters', onSubmit: e => {
            e.preventDefault();
            go('dead', [['topic', topic], ...Object.entries(edited)]);
        }},
        h(Field, {label: t('field.reason')}, h(Select, {
            value: edited.reason, test: 'reason', onChange: reason => edit('reason', reason),
            options: [['', t('any')], ...REASONS.map(reason => [reason, word('reason.', reason)])]
        })), wall('since', t('dead.since')), wall('until', t('dead.until')),
        h('button', {class: 'button main', 'data-test': 'search'}, t('search')),
        h('span', {class: 'fill'}),
        session.acts && h('span', {class: 'pair'},
            h(Button, {'data-test': 'respawn', onClick: () => confirmAction(respawnAction(topic, filter, poll.again))}, t('respawn.title')),
            h('span', {class: 'apart'}, h(Button, {kind: 'danger', 'data-test': 'discard', onClick: () => confirmAction(discardAction(topic, filter, poll.again))}, t('discard.title'))))),
        h(Panel, {poll, what: 'GET /dead', test: 'dead-page', height: 'high', empty: t('dead.emptyTopic'), isEmpty: data => data.items.length === 0}, data => [
            data.reasons && h(Groups, {data}),
            h(Letters, {items: data.items, again: poll.again}),
            h(Pages, {after, setAfter, next: data.next})]));
}

/** The same failure of many messages is one line: the server writes digits as #. */
function Groups({data}) {
    const of = data.reasonsOf;
    return h('div', {class: 'reasons', 'data-test': 'reasons'}, h('h2', null, t('dead.reasons')),
        h('ul', null, data.reasons.slice(0, 12).map(group => h('li', {key: group.reason + group.text},
            h('span', {class: 'num'}, f.number(group.count)), h(Badge, {code: group.reason, prefix: 'reason.', tone: 'bad'}),
            h('q', null, h(Name, {text: group.text}))))),
        h('p', {class: 'hint'}, t('dead.reasonsOf', {n: of, nText: f.number(of)})));
}

function Letters({items, again}) {
    return h(Table, {
        test: 'letters', caption: t('dead.letters'), rows: items, keyOf: row => row.id, columns: [
            {label: t('field.id'), cell: row => h(Name, {text: row.id, href: href('messages', [['id', row.id]])})},
            {label: t('field.died'), cell: row => h(Time, {ms: row.deadTime})},
            {label: t('field.reason'), cell: row => h(Badge, {code: row.reason, prefix: 'reason.', tone: 'bad'})},
            {label: t('field.attempts'), class: 'num', cell: row => f.number(row.attempts)},
            {label: t('field.bizKey'), cell: row => h(Name, {text: row.bizKey ?? ''})},
            {label: t('field.lastError'), class: 'wide', cell: row => h('q', null, h(Name, {text: row.detail ?? ''}))},
            session.acts && {label: t('field.action'), cell: row => h(Button, {
                kind: 'quiet small', 'data-test': 'respawn-one', onClick: () => confirmAction(oneAction(row.id, 'respawn', again))
            }, t('respawn.again'))}].filter(Boolean)
    });
}

/** Respawn or discard of one dead letter. */
export function oneAction(id, verb, done) {
    return {
        title: t(verb === 'respawn' ? 'respawn.oneTitle' : 'discard.oneTitle'), danger: verb === 'discard', done,
        facts: [[t('field.id'), h(Name, {text: id})]],
        note: t(verb === 'respawn' ? 'respawn.oneNote' : 'discard.oneNote'),
        label: t(verb === 'respawn' ? 'respawn.again' : 'discard.it'),
        failed: e => (e.status === 404 ? t('dead.gone') : undefined),
        go: async () => {
            await post('dead/' + verb, {jobId: id});
            return t(verb === 'respawn' ? 'respawn.oneDone' : 'discard.oneDone');
        }
    };
}

/** The filter with a fixed end: letters that come while the user thinks are not in it. */
function order(topic, filter, until) {
    const body = {topic, until};
    if (filter.reason !== '') {
        body.reason = filter.reason;
    }
    if (filter.since !== '') {
        body.since = Number(filter.since);
    }
    return body;
}

function bound(filter) {
    const now = Math.floor(f.now());
    return filter.until === '' ? now : Math.min(now, Number(filter.until));
}

function factsOf(topic, filter) {
    return [[t('field.topic'), h(Name, {text: topic})], [t('field.reason'), filter.reason === '' ? t('any') : word('reason.', filter.reason)],
        filter.since !== '' && [t('dead.since'), f.absolute(Number(filter.since))]];
}

function respawnAction(topic, filter, done) {
    const until = bound(filter);
    return {
        title: t('respawn.title'), facts: factsOf(topic, filter), note: t('respawn.note'), done,
        values: {perSecond: '200'},
        form: (values, set) => h(Field, {label: t('respawn.perSecond'), hint: t('respawn.perSecondHint')},
            h('input', {type: 'number', min: 1, max: 1000000, value: values.perSecond, 'data-test': 'per-second', onInput: e => set('perSecond', e.target.value)})),
        count: async values => {
            const {matched} = await post('dead/respawn', {...order(topic, filter, until), dryRun: true});
            const pace = Number(values.perSecond);
            return {
                n: matched, text: t('respawn.counted', {
                    n: matched, nText: f.number(matched), until: f.absolute(until, true), pace: f.number(pace), d: f.duration(matched / pace * 1000)
                })
            };
        },
        label: counted => t('respawn.go', {n: counted.n, nText: f.number(counted.n)}),
        go: async (counted, values) => {
            const did = await post('dead/respawn', {...order(topic, filter, until), perSecond: Number(values.perSecond)});
            return t('respawn.done', {n: did.respawned, nText: f.number(did.respawned), d: f.duration(did.milliseconds)}) + (did.stopped ? ' ' + t('work.stopped') : '');
        }
    };
}

function discardAction(topic, filter, done) {
    const until = bound(filter);
    return {
        title: t('discard.title'), facts: factsOf(topic, filter), note: t('discard.note'), danger: true, typed: topic, done,
        count: async () => {
            const {matched} = await post('dead/discard', {...order(topic, filter, until), dryRun: true});
            return {n: matched, text: t('discard.counted', {n: matched, nText: f.number(matched), until: f.absolute(until, true)})};
        },
        label: counted => t('discard.go', {n: counted.n, nText: f.number(counted.n)}),
        go: async () => {
            const did = await post('dead/discard', order(topic, filter, until));
            return t('discard.done', {n: did.discarded, nText: f.number(did.discarded), d: f.duration(did.milliseconds)}) + (did.stopped ? ' ' + t('work.stopped') : '');
        }
    };
}
