import {h, useState} from '../view.js';
import {hasWord, t, word} from '../i18n.js';
import {get, usePoll} from '../api.js';
import {go} from '../router.js';
import {Badge, Button, Field, Heading, Name, Pages, Panel, Select, Table, Time} from '../widgets.js';
import * as f from '../format.js';

/** The calls that the table has, as the server names them. */
const ACTIONS = ['pause', 'resume', 'setPolicy', 'changeTopic', 'retryTopic', 'clearTopic', 'clearAll', 'restore', 'restoreJob', 'respawn', 'discard', 'stopOperation', 'setLog',
    'createTube', 'deleteTube', 'createNamespace', 'changeNamespace', 'deleteNamespace', 'createToken', 'changeToken', 'deleteToken', 'login'];
/** Of outcomes that are no error. */
const TONES = new Map([['DONE', 'good'], ['RUNNING', 'good'], ['BEGUN', 'warn']]);
const PAGE = 50;

/** The rows of the audit, the newest first. */
export function Audit({params}) {
    const filter = {action: params.get('action') ?? '', actor: params.get('actor') ?? '', since: params.get('since') ?? ''};
    return h(Rows, {key: params.toString(), filter});
}

function Rows({filter}) {
    const [edited, setEdited] = useState(filter);
    const [after, setAfter] = useState([]);
    const poll = usePoll(abort => get('audit', [...Object.entries(filter).filter(([, value]) => value !== ''), ['limit', PAGE], ['after', after.at(-1) ?? '']], abort), 0, [after]);
    const edit = (name, value) => setEdited(old => ({...old, [name]: value}));
    return h('div', {'data-test-page': 'audit'},
        h(Heading, {text: t('nav.audit')}),
        h('form', {class: 'filters', role: 'search', onSubmit: e => {
            e.preventDefault();
            go('audit', Object.entries(edited));
        }},
        h(Field, {label: t('field.action')}, h(Select, {value: edited.action, test: 'audit-action', onChange: action => edit('action', action),
            options: [['', t('calls.all')], ...ACTIONS.map(each => [each, word('call.', each)])]})),
        h(Field, {label: t('calls.caller')}, h('input', {value: edited.actor, 'data-test': 'audit-actor', autocomplete: 'off', spellcheck: false, onInput: e => edit('actor', e.target.value.trim())})),
        h(Field, {label: t('dead.since') + ' (' + f.offset() + ')'}, h('input', {
            type: 'datetime-local', step: 1, 'data-test': 'audit-since', value: edited.since === '' ? '' : f.toWall(Number(edited.since)),
            onChange: e => edit('since', e.target.value === '' ? '' : String(f.fromWall(e.target.value)))
        })),
        h('button', {class: 'button main', 'data-test': 'search'}, t('search')),
        h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload'))),
        h(Panel, {poll, what: 'GET /audit', test: 'audit', height: 'high', empty: t('audit.empty'), isEmpty: data => data.items.length === 0}, data => [
            h(Table, {test: 'audit-list', caption: t('nav.audit'), rows: data.items, keyOf: row => row.id, columns: [
                {label: t('field.time'), cell: row => h(Time, {ms: row.time})},
                {label: t('field.action'), class: 'whole', cell: row => word('call.', row.action)},
                {label: t('audit.object'), cell: row => h(Name, {text: row.object})},
                {label: t('calls.what'), cell: row => h(Name, {text: row.detail})},
                {label: t('calls.caller'), cell: row => h('span', null, h(Actor, {name: row.actor}), ' ', h('span', {class: 'rel'}, h(Name, {text: row.address})))},
                {label: t('audit.outcome'), cell: row => h(Badge, {code: row.outcome, tone: TONES.get(row.outcome) ?? 'bad', text: word('audit.', row.outcome)})}]}),
            h(Pages, {after, setAfter, next: data.next})]));
}

/** The name of a role, or of a token. */
function Actor({name}) {
    const code = name.toUpperCase();
    return hasWord('role.', code) ? word('role.', code) : h(Name, {text: name});
}
