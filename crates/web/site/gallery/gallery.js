// The page of all programs of the gallery.
import { h } from '../common/dom.js';
import { header } from '../common/header.js';
import { PROGRAMS, about } from './programs.js';
import { THUMBS } from './thumbs.js';

// Names between backticks are code.
const marked = (text) => text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));

header('Gallery');
document.querySelector('#programs').append(
    ...PROGRAMS.map((program) =>
        h(
            'li',
            {},
            // The picture repeats the title, so it has no text of its own.
            h('img', { src: new URL(THUMBS[program.name], import.meta.url), alt: '', loading: 'lazy' }),
            h(
                'div',
                {},
                h('h2', {}, h('a', { href: `../index.html?example=${program.name}` }, program.title)),
                h('p', {}, marked(about(program))),
            ),
        ),
    ),
);
