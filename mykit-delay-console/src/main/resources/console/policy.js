import {h, useState} from './view.js';
import {t} from './i18n.js';
import {post} from './api.js';
import {seesQueue, session} from './session.js';
import {Button, Name, Notice, Select, Table, errorText} from './widgets.js';

/** What an administrator may set, as POST /topics/change names it. */
const CHANGED = ['channel', 'metrics'];
/** What an operator may set, as POST /topics/policy names it. */
const SETTABLE = ['rate', 'concurrency', 'maxAttempts', 'interval', 'multiplier', 'maxInterval', 'gaps', 'jitter', 'ttl'];
const GIVE_BACK = 'default';
/** The source of a value that an operator has set. */
const OPERATOR = 'operator';

/** The settings of a topic with the source of each value. An operator sets values, which come before the configuration, and gives them back. */
export function Policy({topic, settings, policy, again}) {
    const [open, setOpen] = useState(false);
    const [name, setName] = useState(SETTABLE[0]);
    const [value, setValue] = useState('');
    const [answer, setAnswer] = useState(null);
    const [busy, setBusy] = useState(false);
    // Limits of a topic are shared with the topics of other teams.
    const acts = session.acts && seesQueue();
    const sets = key => acts && (session.administers || !CHANGED.includes(key));

    async function change(key, text) {
        setBusy(true);
        try {
            await post(CHANGED.includes(key) ? 'topics/change' : 'topics/policy', {topic, [key]: key === 'metrics' ? text === 'true' || (text !== GIVE_BACK && text) : text});
            setAnswer({tone: 'good', text: t(text === GIVE_BACK ? 'policy.givenBack' : 'policy.set', {name: key})});
            setValue('');
        } catch (e) {
            setAnswer({tone: 'bad', text: errorText(e)});
        } finally {
            setBusy(false);
            again();
        }
    }

    return h('details', {class: 'policy', open, onToggle: e => setOpen(e.target.open)}, h('summary', {'data-test': 'policy-open'}, t('topic.policy')),
        h(Table, {
            test: 'policy-list', caption: t('topic.policy'), rows: Object.entries({...settings, ...policy}), keyOf: ([key]) => key, columns: [
                {label: t('field.setting'), cell: ([key]) => h('code', null, key)},
                {label: t('field.value'), cell: ([, setting]) => h(Name, {text: String(setting.value)})},
                {label: t('field.from'), cell: ([key, setting]) => h('span', {class: 'pair'},
                    setting.from === OPERATOR ? h('strong', null, t('role.OPERATOR')) : h('code', null, h(Name, {text: setting.from})),
                    setting.from === OPERATOR && sets(key) && h(Button, {
                        kind: 'quiet small', disabled: busy, 'data-test': 'give-back-' + key, onClick: () => change(key, GIVE_BACK)
                    }, t('policy.giveBack')))}]
        }),
        acts && h('form', {class: 'filters', onSubmit: e => {
            e.preventDefault();
            change(name, value.trim());
        }},
        h(Select, {value: name, label: t('field.setting'), test: 'policy-name', onChange: setName, options: SETTABLE.concat(CHANGED).filter(sets).map(each => [each, each])}),
        h('input', {value, placeholder: t('policy.value'), 'aria-label': t('field.value'), 'data-test': 'policy-value', autocomplete: 'off', spellcheck: false,
            onInput: e => setValue(e.target.value)}),
        h('button', {class: 'button', disabled: busy || value.trim() === '', 'data-test': 'policy-set'}, t('policy.change'))),
        answer !== null && h(Notice, {tone: answer.tone, test: 'policy-answer'}, answer.text));
}
