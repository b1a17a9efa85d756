import {h} from '../view.js';
import {t, word} from '../i18n.js';
import {get, usePoll} from '../api.js';
import {session} from '../session.js';
import {confirmAction} from '../actions.js';
import {clearAllAction, restoreAction} from '../clearing.js';
import {Badge, Button, Heading, Name, Notice, Panel, Table, Time} from '../widgets.js';
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
        h(Panel, {title: t('work.title'), poll, what: 'GET /operations', test: 'running', empty: t('work.empty'), isEmpty: data => running(data).length === 0},
            data => running(data).map(work => h(Work, {key: work.id ?? work.kind, work, done: poll.again}))),
        h(Panel, {title: t('operations.recent'), poll, test: 'recent', empty: t('operations.noneRecent'), isEmpty: data => (data.recent ?? []).length === 0},
            data => h(Recent, {rows: data.recent})),
        h(Panel, {title: t('config.title'), poll: config, what: 'GET /config', test: 'config', empty: t('config.empty'), isEmpty: data => settings(data).length === 0},
            data => h(Config, {rows: settings(data)})));
}

function running(data) {
    return data.running ?? data.work ?? [];
}

function Recent({rows}) {
    return h(Table, {
        test: 'recent-list', caption: t('operations.recent'), rows, keyOf: row => row.id ?? row.time, columns: [
            {label: t('field.time'), cell: row => h(Time, {ms: row.time ?? row.endedAt ?? row.startedAt})},
            {label: t('field.action'), cell: row => word('work.kind.', row.kind)},
            {label: t('field.node'), cell: row => h(Name, {text: row.node ?? ''})},
            {label: t('field.by'), cell: row => h(Name, {text: row.by ?? ''})},
            {label: t('field.rows'), class: 'num', cell: row => f.number(row.rows)},
            {label: t('field.outcome'), cell: row => (row.outcome ? h(Badge, {code: row.outcome, prefix: 'work.outcome.', tone: tone(row.outcome)}) : '–')}]
    });
}

function tone(outcome) {
    return outcome === 'DONE' ? 'good' : outcome === 'FAILED' ? 'bad' : 'warn';
}

/** The settings as a list, whether the server sends an object or a list. */
function settings(data) {
    const given = data.settings ?? data.keys ?? data;
    return Array.isArray(given) ? given : Object.entries(given).filter(([name]) => name !== 'asOf')
        .map(([key, value]) => (typeof value === 'object' && value !== null ? {key, ...value} : {key, value}));
}

function Config({rows}) {
    return h('details', {open: false}, h('summary', {'data-test': 'config-open'}, t('config.show', {n: rows.length, nText: f.number(rows.length)})),
        h(Table, {
            test: 'config-list', caption: t('config.title'), rows, keyOf: row => row.key ?? row.name, columns: [
                {label: t('field.setting'), cell: row => h('code', null, row.key ?? row.name)},
                {label: t('field.value'), cell: row => h(Name, {text: row.value ?? '–'})},
                rows.some(row => row.from ?? row.source) && {label: t('field.from'), cell: row => h(Name, {text: row.from ?? row.source ?? ''})}].filter(Boolean)
        }));
}
