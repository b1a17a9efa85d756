import {h, useState} from '../view.js';
import {t} from '../i18n.js';
import {hasToken, plainJson, urlOf, usePoll} from '../api.js';
import {Button, Field, Heading, Name, Panel, Table} from '../widgets.js';
import {layOut} from '../body.js';
import {quoted} from './tryit.js';
import * as f from '../format.js';

const METHODS = ['get', 'post', 'put', 'delete'];
const DEEP = 6;

/** Shows the OpenAPI document of this server: the calls, their fields, and examples. */
export function Reference() {
    const poll = usePoll(abort => plainJson('openapi.json', abort), 0, []);
    return h('div', {'data-test-page': 'api'},
        h(Heading, {text: t('nav.api'), tools: h('a', {href: urlOf('openapi.json').href}, 'openapi.json')}),
        h(Panel, {poll, what: 'GET /openapi.json', test: 'api', height: 'high', class: 'plain'}, doc => h(Document, {doc})));
}

function resolve(doc, node) {
    let at = node;
    for (let depth = 0; at?.$ref !== undefined && depth < DEEP; depth++) {
        at = at.$ref.replace(/^#\//, '').split('/').reduce((inner, step) =>
            inner?.[step.replace(/~1/g, '/').replace(/~0/g, '~')], doc);
    }
    return at ?? {};
}

function Document({doc}) {
    const [typed, setTyped] = useState('');
    const calls = Object.entries(doc.paths ?? {}).flatMap(([path, item]) => METHODS.filter(method => item[method] !== undefined)
        .map(method => ({path, method, call: item[method], shared: item.parameters ?? []})));
    const shown = calls.filter(({path, call}) => (path + ' ' + (call.summary ?? '')).toLowerCase().includes(typed.toLowerCase()));
    const groups = new Map();
    shown.forEach(one => {
        const tag = one.call.tags?.[0] ?? '';
        groups.set(tag, [...groups.get(tag) ?? [], one]);
    });
    return h('div', null,
        h('div', {class: 'filters'}, h(Field, {label: t('api.filter')}, h('input', {value: typed, 'data-test': 'api-filter', onInput: e => setTyped(e.target.value)})),
            h('p', {class: 'hint'}, `${doc.info?.title ?? ''} ${doc.info?.version ?? ''} · OpenAPI ${doc.openapi ?? ''}`)),
        [...groups].map(([tag, list]) => h('section', {key: tag, class: 'panel'}, tag !== '' && h('h2', null, tag),
            list.map(one => h(Call, {key: one.method + one.path, doc, ...one})))));
}

function Call({doc, path, method, call, shared}) {
    const [open, setOpen] = useState(false);
    const parameters = [...shared, ...call.parameters ?? []].map(one => resolve(doc, one));
    return h('details', {class: 'call', 'data-test': 'call', onToggle: e => setOpen(e.currentTarget.open)},
        h('summary', null, h('code', {class: 'method ' + method}, method.toUpperCase()), h('code', null, path), h('span', null, call.summary ?? '')),
        open && h('div', {class: 'call-body'},
            call.description && h('p', {class: 'prose'}, call.description),
            parameters.length > 0 && h(Parameters, {parameters, doc}),
            h(Bodies, {doc, content: resolve(doc, call.requestBody).content}),
            h(Responses, {doc, responses: call.responses ?? {}}),
            method === 'get' ? h(Ask, {path, parameters}) : null));
}

function kind(doc, given) {
    const schema = resolve(doc, given);
    const type = Array.isArray(schema.type) ? schema.type.join(' | ') : schema.type ?? (schema.oneOf ?? schema.anyOf ?? []).map(one => kind(doc, one)).join(' | ');
    const items = schema.items === undefined ? '' : ` of ${kind(doc, schema.items)}`;
    const limits = [['minimum', '≥'], ['maximum', '≤'], ['maxLength', '≤'], ['maxItems', '≤']]
        .filter(([name]) => schema[name] !== undefined).map(([name, sign]) => `${sign} ${schema[name]}`);
    return [type + items, schema.enum?.join(', '), ...limits].filter(Boolean).join('; ');
}

function Parameters({parameters, doc}) {
    return h(Table, {
        caption: t('api.parameters'), rows: parameters, keyOf: row => row.in + row.name, columns: [
            {label: t('field.name'), cell: row => h('code', null, row.name, row.required ? ' *' : '')},
            {label: t('api.type'), cell: row => kind(doc, row.schema)},
            {label: t('api.description'), class: 'wide', cell: row => row.description ?? ''}]
    });
}

function Fields({doc, schema: given, depth = 0}) {
    const schema = resolve(doc, given);
    const inner = schema.items === undefined ? schema : resolve(doc, schema.items);
    const all = [inner, ...(inner.allOf ?? []).map(one => resolve(doc, one))];
    const fields = all.flatMap(one => Object.entries(one.properties ?? {}));
    const required = new Set(all.flatMap(one => one.required ?? []));
    if (fields.length === 0) {
        return kind(doc, schema) === '' ? null : h('p', {class: 'small'}, kind(doc, schema));
    }
    return h('ul', {class: 'schema'}, fields.map(([name, field]) => {
        const deeper = resolve(doc, field);
        const nested = deeper.properties ?? resolve(doc, deeper.items).properties;
        return h('li', {key: name}, h('code', null, name, required.has(name) ? ' *' : ''), ' ', h('span', {class: 'small'}, kind(doc, field)), ' ',
            deeper.description ?? '', nested && depth < DEEP && h(Fields, {doc, schema: field, depth: depth + 1}));
    }));
}

function Bodies({doc, content}) {
    return Object.entries(content ?? {}).map(([type, body]) => h('div', {key: type}, h('h3', null, t('api.body'), ' ', h('code', null, type)),
        h(Fields, {doc, schema: body.schema}), h(Examples, {body})));
}

function Examples({body}) {
    const examples = body.example !== undefined ? [body.example] : Object.values(body.examples ?? {}).map(one => one.value);
    return examples.map((example, i) => h('pre', {key: i, class: 'source', tabindex: 0, 'aria-label': t('api.example')}, f.visible(JSON.stringify(example, null, 2))));
}

function Responses({doc, responses}) {
    return h('div', null, h('h3', null, t('api.answers')), Object.entries(responses).map(([status, given]) => {
        const response = resolve(doc, given);
        return h('details', {key: status, class: 'response'}, h('summary', null, h('code', null, status), ' ', response.description ?? ''),
            Object.entries(response.content ?? {}).map(([type, body]) => h('div', {key: type}, h(Fields, {doc, schema: body.schema}), h(Examples, {body}))));
    }));
}

/** Sends a read from the page. Acting calls have their own pages, with their questions. */
function Ask({path, parameters}) {
    const [values, setValues] = useState({});
    const [answer, setAnswer] = useState(null);
    const url = () => urlOf(path.replace(/\{(\w+)[^}]*\}/g, (all, name) => encodeURIComponent(values[name] ?? '')),
        parameters.filter(one => one.in === 'query').map(one => [one.name, values[one.name]]));
    async function ask() {
        try {
            setAnswer(JSON.stringify(await plainJson(url().href.slice(urlOf('').href.length))));
        } catch (e) {
            setAnswer(JSON.stringify({error: e.code, message: e.message}));
        }
    }
    const token = hasToken() ? ' -H "Authorization: Bearer $TOKEN"' : '';
    return h('div', {class: 'ask'}, h('h3', null, t('api.try')),
        h('div', {class: 'filters'}, parameters.filter(one => one.in !== 'header').map(one => h(Field, {key: one.name, label: one.name},
            h('input', {value: values[one.name] ?? '', onInput: e => setValues({...values, [one.name]: e.target.value})}))),
        h(Button, {onClick: ask, 'data-test': 'ask'}, t('api.ask'))),
        h('p', {class: 'small'}, h('code', null, h(Name, {text: `curl${token} ${quoted(url().href)}`}))),
        answer !== null && h('pre', {class: 'source', tabindex: 0, 'aria-label': t('api.answers'), 'data-test': 'asked'}, f.visible(layOut(answer) ?? answer)));
}
