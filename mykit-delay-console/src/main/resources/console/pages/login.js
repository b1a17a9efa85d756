import {h, useEffect, useRef, useState} from '../view.js';
import {CallError} from '../api.js';
import {t} from '../i18n.js';
import {logIn, session} from '../session.js';
import {Notice, errorText, title} from '../widgets.js';

/** The characters that the server allows in a token. */
const ASCII = /^[!-~]+$/;

/** Asks for a token. The address keeps the page to which the user wanted to go. */
export function Login() {
    const field = useRef(null);
    const [token, setToken] = useState('');
    const [keep, setKeep] = useState(false);
    const [error, setError] = useState(session.error);
    const [busy, setBusy] = useState(false);
    useEffect(() => {
        title(t('login.title'));
        field.current.focus();
    }, []);

    async function submit(e) {
        e.preventDefault();
        if (token === '' || busy) {
            return;
        }
        if (!ASCII.test(token.trim())) {
            // The browser would not send such a header, and the error would be that of a dead server.
            setError(new CallError(0, 'TOKEN_NOT_ASCII', ''));
            return;
        }
        setBusy(true);
        setError(null);
        try {
            await logIn(token.trim(), keep);
        } catch (failure) {
            setError(failure);
            setBusy(false);
        }
    }

    return h('main', {class: 'login', 'data-test-ready': 'true'},
        h('form', {onSubmit: submit, 'data-test': 'login'},
            h('h1', null, 'mykit-delay'),
            h('p', null, t('login.text')),
            h('label', {class: 'field'}, h('span', {class: 'label'}, t('login.token')),
                h('input', {type: 'password', ref: field, value: token, autocomplete: 'off', 'data-test': 'token', onInput: e => setToken(e.target.value)})),
            h('label', {class: 'check'}, h('input', {
                type: 'checkbox', checked: keep, 'data-test': 'keep-token', onChange: e => setKeep(e.target.checked)
            }), t('login.keep')),
            error !== null && h(Notice, {tone: 'bad', test: 'login-error'}, errorText(error)),
            h('button', {class: 'button main', disabled: busy || token === '', 'data-test': 'log-in'}, t('login.title')),
            h('p', {class: 'hint'}, t('login.hint'))));
}
