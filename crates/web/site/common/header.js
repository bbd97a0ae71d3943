// The header of every page, and the choice of dark or light: import { header } from '../common/header.js'; header('Lessons');
import { h } from './dom.js';

// Pages lie at different depths, so links are relative to the folder of the site, where this module is in common/ or a bundle is.
const PAGES = [
    ['Playground', 'index.html'],
    ['Gallery', 'gallery/index.html'],
    ['Lessons', 'lessons/index.html'],
    ['Accuracy card', 'card.html'],
];
const MODES = ['system', 'dark', 'light'];
const KEY = 'quadrille.mode';

/** Puts the header in front of the page. `here` is the name of the page in it; `root` leads from the page to the folder of the site. */
export function header(here, root = document.documentElement.dataset.root ?? '') {
    const links = PAGES.map(([name, file]) => h('a', { href: root + file, 'aria-current': name === here ? 'page' : null }, name));
    const main = document.querySelector('main');
    main.id ||= 'main';
    document.body.prepend(
        h('a.skip', { href: `#${main.id}`, onclick: (event) => skip(event, main) }, 'To the content'),
        h('header.site', {}, h('strong', {}, 'quadrille'), h('nav', { 'aria-label': 'Site' }, links), modeSelect()),
    );
}

// The fragment of the playground's address holds its state, so the link must not change it.
function skip(event, main) {
    event.preventDefault();
    main.tabIndex = -1;
    main.focus();
}

/** Applies the mode that was chosen before; also of pages without a header. */
export function applyMode(mode = localStorage.getItem(KEY) ?? 'system') {
    document.documentElement.style.colorScheme = mode === 'system' ? '' : mode;
    document.dispatchEvent(new Event('modechange'));
}

function modeSelect() {
    const choose = ({ target }) => {
        localStorage.setItem(KEY, target.value);
        applyMode(target.value);
    };
    const options = MODES.map((mode) => h('option', { value: mode }, mode));
    const select = h('select', { onchange: choose }, options);
    select.value = localStorage.getItem(KEY) ?? 'system';
    return h('label.field', {}, 'Colours', select);
}

applyMode();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => document.dispatchEvent(new Event('modechange')));
