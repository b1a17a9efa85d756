import {h} from '../view.js';
import {t} from '../i18n.js';
import {get, post, usePoll} from '../api.js';
import {href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Button, Field, Heading, Name, Panel, Table, Time} from '../widgets.js';
import * as limits from '../limits.js';

/** The namespaces of teams. A namespace begins empty, and ends without tokens and unfinished messages. */
export function Namespaces() {
    const poll = usePoll(abort => get('namespaces', [], abort), 0, []);
    return h('div', {'data-test-page': 'namespaces'},
        h(Heading, {text: t('nav.namespaces')}),
        h('div', {class: 'filters'},
            h(Button, {kind: 'main', 'data-test': 'make', onClick: () => confirmAction(makeAction(poll.again))}, t('namespaces.make')),
            h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload'))),
        h(Panel, {poll, what: 'GET /namespaces', test: 'namespaces', height: 'high', empty: t('namespaces.empty'), isEmpty: list => list.length === 0}, list => h(Table, {
            test: 'namespace-list', caption: t('nav.namespaces'), rows: list, keyOf: row => row.name, columns: [
                {label: t('field.name'), cell: row => h(Name, {text: row.name})},
                {label: t('field.description'), cell: row => h(Name, {text: row.description})},
                {label: t('field.limits'), cell: row => h(limits.Words, {names: limits.OF_NAMESPACES, row})},
                {label: t('field.created'), cell: row => h('span', null, h(Time, {ms: row.createTime, rel: false}), ' ', h('span', {class: 'rel'}, h(Name, {text: row.createdBy})))},
                {label: t('field.action'), cell: row => h('span', {class: 'pair'},
                    h('a', {class: 'button quiet small', href: href('tokens', [['namespace', row.name]]), 'data-test': 'to-tokens'}, t('nav.tokens')),
                    h(Button, {kind: 'quiet small', 'data-test': 'change', onClick: () => confirmAction(changeAction(row, poll.again))}, t('change')),
                    h(Button, {kind: 'quiet small', 'data-test': 'delete', onClick: () => confirmAction(deleteAction(row.name, poll.again))}, t('delete')))}]
        })));
}

/** What a new namespace and a change of a namespace have in common. */
function form(values, set) {
    return [
        h(Field, {label: t('field.description')}, h('input', {value: values.description, 'data-test': 'namespace-description', onInput: e => set('description', e.target.value)})),
        h(limits.Inputs, {names: limits.OF_NAMESPACES, values, set})];
}

function makeAction(done) {
    return {
        title: t('namespaces.make'), note: t('namespaces.note'), label: t('namespaces.make'), done,
        values: {name: '', description: '', ...limits.values(limits.OF_NAMESPACES)},
        form: (values, set) => h('div', null,
            h(Field, {label: t('field.name'), hint: t('namespaces.nameHint')}, h('input', {
                value: values.name, 'data-test': 'namespace-name', autocomplete: 'off', spellcheck: false, onInput: e => set('name', e.target.value.trim())
            })),
            form(values, set)),
        go: async (counted, values) => {
            const {name, description} = values;
            await post('namespaces', {name, description, ...limits.changed(limits.OF_NAMESPACES, values)});
            return t('namespaces.made', {name});
        }
    };
}

/** Only what differs is sent. */
function changeAction(row, done) {
    return {
        title: t('change'), facts: [[t('field.name'), h(Name, {text: row.name})]], label: t('change'), done,
        values: {description: row.description, ...limits.values(limits.OF_NAMESPACES, row)},
        form: (values, set) => h('div', null, form(values, set)),
        go: async (counted, values) => {
            const change = {name: row.name, ...limits.changed(limits.OF_NAMESPACES, values, row)};
            if (values.description !== row.description) {
                change.description = values.description;
            }
            await post('namespaces/change', change);
            return t('changed');
        }
    };
}

function deleteAction(name, done) {
    return {
        title: t('delete'), facts: [[t('field.name'), h(Name, {text: name})]], note: t('namespaces.deleteNote'), label: t('delete'),
        danger: true, typed: name, done,
        go: async () => {
            await post('namespaces/delete', {name});
            return t('namespaces.deleted');
        }
    };
}
