import {t} from './i18n.js';
import * as f from './format.js';

// The fields of a push with the limits that the server checks. It checks them again.
const DAY = 86_400_000;
const HEADER_NAME = /^[^\p{Cc}]{1,128}$/u;

export const FIELDS = [
    {name: 'topic', max: 128, required: true}, {name: 'body', kind: 'long'}, {name: 'delay', read: delay},
    {name: 'id', max: 128}];

export const MORE = [
    {name: 'triggerAt', read: integer(978307200000, 253402300799999)}, {name: 'bodyBase64', kind: 'long', read: base64},
    {name: 'subtopic', max: 250}, {name: 'bizKey', max: 128}, {name: 'ttl', read: integer(0, 2147483647)},
    {name: 'priority', read: integer(0, 9)}, {name: 'headers', kind: 'long', read: headers}, {name: 'retry', kind: 'long', read: object},
    {name: 'target', kind: 'long', read: object}, {name: 'ttr', read: bounded(1000, DAY)}, {name: 'createTime', read: integer(978307200000, 253402300799999)},
    {name: 'replace', kind: 'flag', read: value => value}];

class Wrong extends Error {
}

function integer(min, max) {
    return text => {
        const n = Number(text);
        if (!/^\d+$/.test(text.trim()) || n < min || n > max) {
            throw new Wrong(t('try.number', {min: String(min), max: String(max)}));
        }
        return n;
    };
}

function delay(text) {
    const ms = f.parseDuration(text);
    if (Number.isNaN(ms)) {
        throw new Wrong(t('try.duration'));
    }
    return ms;
}

function bounded(min, max) {
    return text => {
        const ms = f.parseDuration(text);
        if (!(ms >= min && ms <= max)) {
            throw new Wrong(t('try.between', {min: f.duration(min), max: f.duration(max)}));
        }
        return ms;
    };
}

function base64(text) {
    try {
        void atob(text);
        return text;
    } catch {
        throw new Wrong(t('try.base64'));
    }
}

function object(text) {
    try {
        const value = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
            return value;
        }
    } catch {
        // Told below.
    }
    throw new Wrong(t('try.object'));
}

/** Lines of "name: value". */
function headers(text) {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    if (lines.length > 128) {
        throw new Wrong(t('try.headers'));
    }
    return Object.fromEntries(lines.map(line => {
        const [, name, value] = /^([^:]*):(.*)$/.exec(line) ?? [];
        if (name === undefined || !HEADER_NAME.test(name.trim()) || value.trim().length > 16384) {
            throw new Wrong(t('try.headers'));
        }
        return [name.trim(), value.trim()];
    }));
}

/** @returns the push, and a text for each field that the server would refuse */
export function readPush(values) {
    const push = {};
    const wrong = new Map();
    for (const field of [...FIELDS, ...MORE]) {
        const value = values[field.name];
        if (value === undefined || value === '' || value === false) {
            if (field.required) {
                // The button says it: an empty form is no mistake yet.
                wrong.set(field.name, '');
            }
            continue;
        }
        try {
            if (field.max !== undefined && value.length > field.max) {
                throw new Wrong(t('try.long', {n: field.max}));
            }
            push[field.name] = field.read === undefined ? value : field.read(value);
        } catch (e) {
            if (!(e instanceof Wrong)) {
                throw e;
            }
            wrong.set(field.name, e.message);
        }
    }
    if (push.triggerAt !== undefined) {
        delete push.delay;
    }
    if (push.bodyBase64 !== undefined) {
        delete push.body;
    }
    return {push, wrong};
}
