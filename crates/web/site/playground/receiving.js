// Files that a person drops or chooses: texts become tabs, arrays and pictures become inputs or what a run file names.
import { isArray, isText, take } from './files.js';
import { placeFor } from './missing.js';
import { isRunFile } from './settings.js';

const EXPECTED = 'expected a shader (.frag, .glsl, .fs, .vs, .txt), a run file (.toml), an array (.npy, .csv) or a picture (.png, .jpg)';
// Texts that are parts of others.
const isPart = (name) => /\.(glsl|vs|vert)$/.test(name);

/**
 * What takes files: `files(list, path)`, where `path` is the missing one that they were chosen for; `text(path)` begins it with an empty
 * text, and `rule(path, rule)` gives a sample for it. `changed()` is told when the program is another one, `edited()` when a text is.
 */
export function receiver(state, { editor, tabs, inputs, message, missing }, { changed, edited }) {
    function put(name, text, isOpened) {
        editor.put(name, text);
        if (isOpened) editor.open(name);
        state.files = editor.files;
        tabs.draw();
    }

    function takeText(name, text) {
        const isMain = !isPart(name) && (isRunFile(name) || !isRunFile(state.main));
        if (isMain) state.main = name;
        put(name, text, isMain);
        changed();
    }

    function rule(path, text) {
        state.given[path] = text;
        changed();
    }

    async function one(file, path) {
        if (isText(file.name)) return takeText(path ?? file.name, await file.text());
        if (!isArray(file.name)) throw new Error(EXPECTED);
        if (path) return rule(path, `file:${await take(file)}`);
        if (await inputs.offer(file)) return undefined;
        throw new Error('the program has several inputs, or none: drop the file on the input that it is for');
    }

    return {
        rule,
        text(path) {
            put(path, '', true);
            edited();
        },
        async files(list, path) {
            message.clear();
            for (const file of list) {
                try {
                    await one(file, path ?? placeFor(file.name, missing()));
                } catch (error) {
                    message.show(`${file.name}: ${error.message}`);
                }
            }
        },
    };
}
