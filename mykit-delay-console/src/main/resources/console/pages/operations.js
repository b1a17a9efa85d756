import {h, useState} from '../view.js';
import {t, word} from '../i18n.js';
import {get, usePoll} from '../api.js';
import {session} from '../session.js';
import {confirmAction} from '../actions.js';
import {clearAllAction, restoreAction} from '../clearing.js';
import {Badge, Button, Field, Heading, Name, Notice, Panel, Select, Table, Time} from '../widgets.js';
import {Work} from '../work.js';
import * as f from '../format.js';

export function Operations({overview}) {
    const poll = usePoll(abort => get('operations', [], abort), 2000, []);
    const config = usePoll(abort => get('config', [], abort), 0, []);
    const queue = overview.data?.queue;
    return h('div', {'data-test-page': 'operations'},
        h(Heading, {text: t('nav.operations')}),
        session.acts ? h('div', {class: 'columns'},
            h('section', {class: 'panel', 'data-test': 'restore-panel'}, h('h2', null, t('restore.title')), h('p', null, t('restore.text')),
                h(Button, {'data-test': 'restore', onClick: () => confirmAction(restoreAction(poll.again))}, t('restore.title'))),
            h('section', {class: 'panel', 'data-test': 'clear-panel'}, h('h2', null, t('clear.everything')), h('p', null, t('clear.text')),
                h(Button, {kind: 'danger', disabled: queue === undefined, 'data-test': 'clear-all', onClick: () => confirmAction(clearAllAction(queue, poll.again))}, t('clear.everything'))))
            : h(Notice, {test: 'reads-only'}, t('operations.readOnly')),
        h(Panel, {title: t('work.title'), poll, what: 'GET /operations', test: 'running', empty: t('work.empty'), isEmpty: data => data.work.length === 0},
            data => data.work.map(work => h(Work, {key: work.id, work, done: poll.again}))),
        h(Panel, {title: t('calls.title'), poll, what: 'GET /operations', test: 'recent', empty: t('calls.empty'),
            isEmpty: data => data.recent.length === 0}, data => h(Recent, {data})),
        h(Panel, {title: t('config.title'), poll: config, what: 'GET /config', test: 'config'},
            data => h(Config, data)));
}

const isRefused = call => call.status >= 400;

/** The last calls of operators, from all nodes: the latest that acted, and the latest that were refused. */
function Recent({data}) {
    const [name, setName] = useState('');
    const [text, setText] = useState('');
    const [end, setEnd] = useState('');
    const names = [...new Set(data.recent.map(call => call.call))].sort();
    const sought = text.trim().toLowerCase();
    const rows = data.recent.filter(call => (name === '' || call.call === name)
        && (end === '' || isRefused(call) === (end === 'refused'))
        && (sought === '' || [call.what, call.caller, call.address, call.node, call.result].some(value => String(value).toLowerCase().includes(sought))));
    return h('div', null, data.nodesComplete === false && h('p', {class: 'hint', 'data-test': 'recent-limits'}, t('calls.oneNode')),
        h('div', {class: 'filters'},
            h(Select, {value: name, label: t('field.action'), test: 'recent-call', onChange: setName,
                options: [['', t('calls.all')], ...names.map(each => [each, word('call.', each)])]}),
            h(Select, {value: end, label: t('field.answer'), test: 'recent-end', onChange: setEnd,
                options: [['', t('calls.anyEnd')], ['acted', t('calls.acted')], ['refused', t('calls.refused')]]}),
            h('input', {type: 'search', value: text, placeholder: t('calls.find'), 'aria-label': t('calls.find'), 'data-test': 'recent-text',
                autocomplete: 'off', spellcheck: false, onInput: e => setText(e.target.value)})),
        rows.length === 0 ? h('p', {class: 'empty', 'data-test': 'recent-none'}, t('calls.none')) : h(Table, {
            test: 'recent-list', caption: t('calls.title'), rows, keyOf: call => `${call.time} ${call.node} ${call.call} ${call.what}`, columns: [
                {label: t('field.time'), cell: call => h(Time, {ms: call.time})},
                {label: t('field.action'), class: 'whole', cell: call => word('call.', call.call)},
                {label: t('calls.what'), cell: call => h(Name, {text: call.what})},
                {label: t('calls.caller'), cell: call => h('span', null, word('role.', call.caller.toUpperCase()), ' ', h('span', {class: 'rel'}, h(Name, {text: call.address})))},
                {label: t('field.node'), cell: call => h(Name, {text: call.node})},
                {label: t('calls.took'), class: 'num', cell: call => f.duration(call.milliseconds)},
                {label: t('field.answer'), cell: call => h(Badge, {code: call.result, tone: call.status < 400 ? 'good' : 'bad',
                    text: call.status === 202 ? t('calls.running') : call.status < 400 ? t('calls.done') : call.result})}]
        }));
}

/** All settings by name. Those that differ from their default are marked. */
function Config({settings, changed = {}}) {
    const [text, setText] = useState('');
    const [onlyChanged, showOnly] = useState(false);
    const all = Object.entries(settings);
    const sought = text.trim().toLowerCase();
    const isChanged = key => changed[key] !== undefined;
    const rows = all.filter(([key, value]) => (!onlyChanged || isChanged(key)) && (key.toLowerCase().includes(sought) || value.toLowerCase().includes(sought)));
    const n = Object.keys(changed).length;
    return h('details', null, h('summary', {'data-test': 'config-open'}, t('config.show', {n: all.length, nText: f.number(all.length)}), ' · ',
        t('config.changed', {n, nText: f.number(n)})),
    h('div', {class: 'filters', role: 'search'},
        h(Field, {label: t('config.find')}, h('input', {type: 'search', value: text, 'data-test': 'config-find', autocomplete: 'off', spellcheck: false, onInput: e => setText(e.target.value)})),
        h('label', {class: 'chip' + (onlyChanged ? ' on' : '')},
            h('input', {type: 'checkbox', checked: onlyChanged, 'data-test': 'config-changed', onChange: e => showOnly(e.target.checked)}), t('config.onlyChanged'))),
    rows.length === 0 ? h('p', {class: 'empty', 'data-test': 'config-none'}, t('config.none')) : h(Table, {
        test: 'config-list', caption: t('config.title'), rows, keyOf: ([key]) => key, columns: [
            {label: t('field.setting'), cell: ([key]) => h('code', null, h(Name, {text: key}))},
            {label: t('field.value'), cell: ([key, value]) => h('span', null, isChanged(key)
                ? [h('strong', null, h(Name, {text: value})), h('span', {class: 'tag', 'data-test': 'config-mark'}, t('config.mark'))] : h(Name, {text: value}))},
            {label: t('field.default'), cell: ([key, value]) => h(Name, {text: isChanged(key) ? changed[key] || '–' : value})}]
    }));
}
