import {h, useEffect, useRef, useState} from '../view.js';
import {t, tx, word} from '../i18n.js';
import {CallError, get, post, postForm} from '../api.js';
import {session} from '../session.js';
import {go, href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Ago, Button, Field, Heading, Name, Panel, Table, Time, errorText} from '../widgets.js';
import {cancelWords, laterWords} from '../outcomes.js';
import {StatusBadge, troublesOf} from '../trouble.js';
import {Message} from './message.js';
import * as f from '../format.js';

const STATUSES = ['WAIT_PUT', 'DELAY', 'READY', 'RESTORE', 'FINISH', 'FAILED', 'EXPIRED', 'DELETE'];
// Where a waiting message is kept is no state for a user: both are one choice.
const CHOICES = [['WAITS', ['WAIT_PUT', 'DELAY']], ...STATUSES.slice(2).map(status => [status, [status]])];
const UNFINISHED = ['WAIT_PUT', 'DELAY', 'READY', 'RESTORE'];
const FILTERS = ['status', 'topic', 'topicPrefix', 'bizKey', 'idPrefix', 'dueFrom', 'dueTo'];
// The server takes one of them.
const EXCLUDES = new Map([['topic', 'topicPrefix'], ['topicPrefix', 'topic']]);
const HOUR = 3_600_000;
const LIMIT = 100;
const UNTIL_FOUND_MS = 60_000;
const PATIENCE_MS = 5_000;

export function Messages({params}) {
    const id = params.get('id');
    return id === null ? h(Search, {key: params.toString(), params}) : h(Message, {key: id, id});
}

/** Without a filter: what is unfinished and due about now. */
function filterOf(params) {
    const given = FILTERS.filter(name => params.get(name));
    if (given.length > 0) {
        return Object.fromEntries(FILTERS.map(name => [name, params.get(name) ?? '']));
    }
    const minute = Math.floor(f.now() / 60_000) * 60_000;
    return {status: UNFINISHED.join(','), topic: '', topicPrefix: '', bizKey: '', idPrefix: '', dueFrom: String(minute - HOUR), dueTo: String(minute + HOUR)};
}

function Search({params}) {
    const [filter] = useState(() => filterOf(params));
    const found = useWalk(filter);
    const [chosen, setChosen] = useState(new Set());
    const [answers, setAnswers] = useState(new Map());
    const say = (id, tone, text) => setAnswers(old => new Map(old).set(id, {tone, text}));
    return h('div', {'data-test-page': 'messages'},
        h(Heading, {text: t('nav.messages')}),
        h(Filters, {filter, busy: found.busy}),
        h(Panel, {poll: found, what: 'GET /messages', test: 'messages', height: 'high', isEmpty: () => false}, data => [
            h(Bulk, {chosen, items: data.items, say, clear: () => setChosen(new Set())}),
            data.items.length === 0 ? h('p', {class: 'empty', 'data-test': 'empty'}, data.complete ? t('messages.empty') : t('messages.notYet'))
                : h(List, {data, chosen, setChosen, answers}),
            h(Looked, {data, found})]));
}

/**
 * The walk through the messages: one page, the next page, and on until something is found. Each page says how far the server
 * looked. It has the shape of a poll.
 */
function useWalk(filter) {
    const [state, setState] = useState({data: null, error: null, at: null, busy: true, until: false});
    const going = useRef({abort: null});

    async function page(after, before, abort) {
        const query = [...Object.entries(filter), ['after', after], ['limit', LIMIT]];
        const came = await get('messages', query, abort);
        const at = came.asOf ?? f.now();
        const troubles = await troublesOf(came.items, at, abort);
        // A list does not refresh: what is overdue is said of the time at which it came.
        const items = came.items.map(item => ({...item, at, trouble: troubles.get(item.topic)}));
        return {
            ...came, items: [...before?.items ?? [], ...items],
            looked: (before?.looked ?? 0) + (came.looked ?? came.items.length)
        };
    }

    /** One walk at a time runs on a node: another one is waited for. */
    async function patientPage(after, before, abort, end) {
        for (;;) {
            try {
                return await page(after, before, abort);
            } catch (e) {
                if (e.status !== 429 || abort.aborted || performance.now() >= end) {
                    throw e;
                }
                await new Promise(done => setTimeout(done, e.retryAfterMs || 1000));
            }
        }
    }

    async function run(before, untilFound) {
        going.current.abort?.abort();
        const abort = new AbortController();
        going.current.abort = abort;
        const end = performance.now() + (untilFound ? UNTIL_FOUND_MS : PATIENCE_MS);
        const had = before?.items.length ?? 0;
        setState(old => ({...old, busy: true, until: untilFound}));
        let data = before;
        try {
            do {
                data = await patientPage(data?.next, data, abort.signal, end);
                setState({data, error: null, at: performance.now(), busy: untilFound, until: untilFound});
            } while (untilFound && data.items.length === had && data.next && performance.now() < end);
            setState({data, error: null, at: performance.now(), busy: false, until: false});
        } catch (e) {
            if (!abort.signal.aborted) {
                setState({data, error: e instanceof CallError ? e : new CallError(0, 'PAGE', String(e.message)), at: performance.now(), busy: false, until: false});
            }
        }
    }

    useEffect(() => {
        run(null, false);
        return () => going.current.abort?.abort();
    }, []);
    return {
        ...state, again: () => run(null, false), more: () => run(state.data, false), untilFound: () => run(state.data, true),
        stop: () => {
            going.current.abort?.abort();
            setState(old => ({...old, busy: false, until: false}));
        }
    };
}

function Filters({filter, busy}) {
    const [edited, setEdited] = useState(filter);
    const statuses = new Set(edited.status.split(',').filter(Boolean));
    const set = (name, value) => setEdited(old => (EXCLUDES.has(name) && value !== '' ? {...old, [name]: value, [EXCLUDES.get(name)]: ''} : {...old, [name]: value}));
    const text = (name, label) => h(Field, {label}, h('input', {value: edited[name], 'data-test': name, spellcheck: false, autocomplete: 'off', onInput: e => set(name, e.target.value)}));
    const wall = (name, label) => h(Field, {label: `${label} (${f.offset(Number(edited[name] || NaN))})`}, h('input', {
        type: 'datetime-local', step: 1, 'data-test': name, value: edited[name] === '' ? '' : f.toWall(Number(edited[name])),
        onChange: e => set(name, e.target.value === '' ? '' : String(f.fromWall(e.target.value)))
    }));
    function toggle(choice, on) {
        setEdited(old => {
            const now = new Set(old.status.split(','));
            choice.forEach(status => (on ? now.add(status) : now.delete(status)));
            return {...old, status: STATUSES.filter(one => now.has(one)).join(',')};
        });
    }
    return h('form', {class: 'filters search', role: 'search', 'data-test': 'filters', onSubmit: e => {
        e.preventDefault();
        go('messages', FILTERS.map(name => [name, edited[name]]));
    }},
    h('fieldset', {class: 'statuses'}, h('legend', null, t('field.status')), CHOICES.map(([name, choice]) => h(Choice, {key: name, name, choice, statuses, toggle}))),
    text('topic', t('field.topic')), text('topicPrefix', t('topics.prefix')), text('bizKey', t('field.bizKey')), text('idPrefix', t('messages.idPrefix')),
    wall('dueFrom', t('messages.dueFrom')), wall('dueTo', t('messages.dueTo')),
    h('button', {class: 'button main', 'data-test': 'search', disabled: busy}, t('search')),
    h('a', {class: 'button quiet', href: href('messages')}, t('messages.reset')));
}

/** One choice may stand for two statuses. If a link names only one of them, the chip says which. */
function Choice({name, choice, statuses, toggle}) {
    const has = choice.filter(status => statuses.has(status));
    const all = has.length === choice.length;
    const some = has.length > 0 && !all;
    return h('label', {class: 'chip' + (has.length > 0 ? ' on' : '')},
        h('input', {type: 'checkbox', checked: all, indeterminate: some, 'data-test': 'status-' + name, onChange: () => toggle(choice, !all)}),
        word('status.', choice[0]), some && h('span', {class: 'small'}, word('where.', has[0])));
}

/** How far the server looked: a list that was not walked to its end says so. */
function Looked({data, found}) {
    const n = data.looked ?? data.items.length;
    return h('div', {class: 'looked', 'data-test': 'looked', 'data-complete': String(data.complete)},
        h('p', {role: 'status'},
            data.by === 'walk' ? tx(data.about > 0 ? 'messages.lookedOf' : 'messages.looked', {n, nText: f.number(n), aboutText: f.number(data.about), about: 1})
                : t('messages.exact'), ' ',
            data.until?.dueTime > 0 && !data.complete && [tx('messages.dueUntil', {
                time: h('time', null, f.absolute(data.until.dueTime, true) + ' ' + f.offset(data.until.dueTime)), status: word('status.', data.until.status)
            }), ' '],
            t('messages.found', {n: data.items.length, nText: f.number(data.items.length)}), ' ',
            data.complete && t('messages.complete'), ' ', data.asOf > 0 && h(Ago, {ms: data.asOf})),
        h('p', {class: 'pages'},
            found.busy && found.until && h(Button, {onClick: found.stop, 'data-test': 'stop-walk'}, t('work.stop')),
            !found.busy && data.next && h(Button, {kind: 'main', onClick: found.more, 'data-test': 'more'}, t('messages.more')),
            !found.busy && data.next && data.by === 'walk' && h(Button, {onClick: found.untilFound, 'data-test': 'until-found'}, t('messages.untilFound'))));
}

function List({data, chosen, setChosen, answers}) {
    function toggle(id) {
        setChosen(old => {
            const now = new Set(old);
            if (!now.delete(id) && now.size < LIMIT) {
                now.add(id);
            }
            return now;
        });
    }
    const columns = [
        session.acts && {label: t('field.chosen'), class: 'pick', cell: row => h('input', {
            type: 'checkbox', checked: chosen.has(row.id), 'aria-label': t('messages.choose', {id: f.visibleLine(row.id)}), 'data-test': 'pick', onChange: () => toggle(row.id)
        })},
        {label: t('field.id'), cell: row => h(Name, {text: row.id, href: href('messages', [['id', row.id]])})},
        {label: t('field.topic'), cell: row => h(Name, {text: row.topic})},
        {label: t('field.status'), cell: row => h(StatusBadge, {status: row.status, due: row.nextAttempt ?? row.dueTime, at: row.at, trouble: row.trouble})},
        {label: t('field.due'), cell: row => h(Time, {ms: row.nextAttempt ?? row.dueTime})},
        {label: t('field.attempts'), class: 'num', cell: row => f.number(row.attempts)},
        {label: t('field.bizKey'), cell: row => h(Name, {text: row.bizKey ?? ''})},
        {label: t('field.created'), cell: row => h(Time, {ms: row.createTime, rel: false})},
        answers.size > 0 && {label: t('field.answer'), cell: row => answers.has(row.id) && h('span', {class: answers.get(row.id).tone, 'data-test': 'row-answer'}, answers.get(row.id).text)}
    ].filter(Boolean);
    return h(Table, {test: 'message-list', caption: t('messages.caption'), columns, rows: data.items, keyOf: row => row.id});
}

/** Actions on the selected rows: one call each, one answer in each row. */
function Bulk({chosen, items, say, clear}) {
    if (chosen.size === 0) {
        return null;
    }
    const ids = items.map(item => item.id).filter(id => chosen.has(id));
    const nText = f.number(ids.length);
    const each = (call, good, words) => async () => {
        let done = 0;
        for (const id of ids) {
            try {
                await call(id);
                say(id, 'good', good);
                done++;
            } catch (e) {
                say(id, 'bad', words(e) ?? errorText(e));
            }
        }
        clear();
        return t('bulk.done', {n: done, nText: f.number(done), of: nText});
    };
    const ask = (title, call, good, words) => confirmAction({
        title, facts: [[t('nav.messages'), t('bulk.selected', {n: ids.length, nText})]], note: t('bulk.note'), label: `${title} (${nText})`, go: each(call, good, words)
    });
    return h('div', {class: 'bulk', role: 'status', 'data-test': 'bulk'}, t('bulk.selected', {n: ids.length, nText}),
        h(Button, {'data-test': 'bulk-now', onClick: () => ask(t('now.title'), id => post('reschedule', {id, delay: 0}), t('now.done'), laterWords)}, t('now.title')),
        h('span', {class: 'apart'}, h(Button, {kind: 'danger', 'data-test': 'bulk-cancel', onClick: () => ask(t('cancel.title'), id => postForm('delete', [['jobId', id]]), t('cancel.done'), cancelWords)}, t('cancel.title'))),
        h(Button, {kind: 'quiet', onClick: clear}, t('bulk.none')));
}

