import {h, useState} from '../view.js';
import {t, word} from '../i18n.js';
import {hasToken, post, urlOf} from '../api.js';
import {session} from '../session.js';
import {href} from '../router.js';
import {Copy, Field, Heading, Name, Notice, errorText} from '../widgets.js';
import {MORE, FIELDS, readPush} from '../push.js';
import * as f from '../format.js';

/** A text for a shell, in single quotation marks. */
export function quoted(text) {
    return `'${text.replace(/'/g, "'\\''")}'`;
}

function curl(json) {
    const token = hasToken() ? ' -H "Authorization: Bearer $TOKEN"' : '';
    return `curl -X POST ${quoted(urlOf('push').href)}${token} -H 'content-type: application/json' \\\n  -d ${quoted(json)}`;
}

/** A form for one push, with the same call as a command beside it. */
export function TryIt({params}) {
    const [values, setValues] = useState({topic: params.get('topic') ?? '', body: '', delay: '10s'});
    const [answer, setAnswer] = useState(null);
    const [busy, setBusy] = useState(false);
    const {push, wrong} = readPush(values);
    const json = JSON.stringify(push, null, 2);
    const set = (name, value) => setValues(old => ({...old, [name]: value}));

    async function send(e) {
        e.preventDefault();
        setBusy(true);
        setAnswer(null);
        try {
            setAnswer({id: await post('push', push)});
        } catch (error) {
            setAnswer({error});
        } finally {
            setBusy(false);
        }
    }

    const input = field => h(PushInput, {key: field.name, field, value: values[field.name] ?? '', wrong: wrong.get(field.name), set: value => set(field.name, value)});
    return h('div', {'data-test-page': 'try'},
        h(Heading, {text: t('nav.try')}),
        !session.pushes && h(Notice, {test: 'reads-only'}, t('try.readOnly')),
        h('div', {class: 'columns'},
            h('form', {class: 'panel push', onSubmit: send, 'data-test': 'push-form'},
                FIELDS.map(input),
                h('details', null, h('summary', {'data-test': 'more-fields'}, t('try.more')), MORE.map(input)),
                session.pushes && h('div', {class: 'buttons'}, h('button', {class: 'button main', disabled: busy || wrong.size > 0, 'data-test': 'push'}, t('try.push'))),
                answer?.id !== undefined && h(Notice, {tone: 'good', test: 'pushed'}, t('try.accepted'), ' ',
                    h(Name, {text: answer.id, href: href('messages', [['id', answer.id]])})),
                answer?.error && h(Notice, {tone: 'bad', test: 'push-error'}, errorText(answer.error))),
            h('section', {class: 'panel'}, h('h2', null, t('try.curl')),
                h('pre', {class: 'source', tabindex: 0, 'aria-label': t('try.curl'), 'data-test': 'curl'}, f.visible(curl(json))),
                h('p', {class: 'line'}, h(Copy, {text: curl(json)}), hasToken() && h('span', {class: 'hint'}, t('try.token'))))));
}

function PushInput({field, value, wrong, set}) {
    const name = word('push.', field.name);
    const label = name.toLowerCase() === field.name ? name : `${name} (${field.name})`;
    const common = {value, 'data-test': 'push-' + field.name, 'aria-invalid': Boolean(wrong), onInput: e => set(e.target.value), spellcheck: false, autocomplete: 'off'};
    if (field.kind === 'flag') {
        return h('label', {class: 'check'}, h('input', {type: 'checkbox', checked: value === true, 'data-test': 'push-' + field.name, onChange: e => set(e.target.checked)}), label);
    }
    const control = field.kind === 'long' ? h('textarea', {...common, rows: 4}) : h('input', {...common, required: field.name === 'topic'});
    return h('div', null, h(Field, {label, hint: word('push.hint.', field.name) === field.name ? undefined : word('push.hint.', field.name)}, control),
        wrong && h('p', {class: 'wrong', 'data-test': 'wrong-' + field.name}, wrong));
}

