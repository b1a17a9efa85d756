import {signal} from './view.js';

// Language, theme and the like. Nothing else is kept in localStorage; a browser that has none still shows the page.
const PREFIX = 'mykit-delay.';

export const settingsChanged = signal();

export function setting(name, fallback) {
    try {
        return localStorage.getItem(PREFIX + name) ?? fallback;
    } catch {
        return fallback;
    }
}

export function keepSetting(name, value) {
    try {
        localStorage.setItem(PREFIX + name, value);
    } catch {
        // The setting holds until the page is left.
    }
    settingsChanged.changed();
}

export function showTheme() {
    const theme = setting('theme', 'auto');
    const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);
