import {setting} from './settings.js';

const LANGUAGES = ['en', 'zh'];
let texts = new Map();
let plural = new Intl.PluralRules('en');
let pseudo = false;

/** The language of the page: as chosen, else the first of the browser that there is, else English. */
export function language() {
    const chosen = setting('language', '');
    if (LANGUAGES.includes(chosen)) {
        return chosen;
    }
    const wanted = navigator.languages.map(name => name.slice(0, 2)).find(name => LANGUAGES.includes(name));
    return wanted ?? 'en';
}

/** The language for numbers and dates. */
export function locale() {
    return language() === 'zh' ? 'zh-CN' : 'en-GB';
}

export async function loadLanguage() {
    const name = language();
    const answer = await fetch(new URL(`i18n/${name}.json`, import.meta.url));
    texts = new Map(Object.entries(await answer.json()));
    plural = new Intl.PluralRules(locale());
    pseudo = new URLSearchParams(location.search).get('lang') === 'xx';
    document.documentElement.lang = locale();
}

/** The text of a key. An unknown key is shown as it is, so that a test finds it. */
export function t(key, args) {
    return parts(key, args).join('');
}

/** The same as an array, in which an argument may be an element. */
export function tx(key, args) {
    return parts(key, args);
}

/** The text of a code of the server, or the code itself: a newer server may know more codes than this page. */
export function word(prefix, code) {
    return texts.has(prefix + code) ? t(prefix + code) : String(code);
}

export function hasWord(prefix, code) {
    return texts.has(prefix + code);
}

function parts(key, args = {}) {
    let text = texts.get(key);
    if (text === undefined && args.n !== undefined) {
        text = texts.get(key + '.' + plural.select(Number(args.n))) ?? texts.get(key + '.other');
    }
    if (text === undefined) {
        return [key];
    }
    return text.split(/(\{\w+\})/).filter(part => part !== '').map(part => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (name === undefined) {
            return pseudo ? stretched(part) : part;
        }
        // A plain number in a text is written as a number; the same argument may come already written as nText.
        return args[`${name}Text`] ?? args[name] ?? '';
    });
}

/** Text 40 % longer with accents: shows a layout that only fits English, and text that is not translated. */
function stretched(text) {
    const accents = text.replace(/[aeiou]/g, letter => 'àéîöü'['aeiou'.indexOf(letter)]);
    return accents + '~'.repeat(Math.ceil(text.length * 0.4));
}
