// The program on the device: what it declares, whether it is still what the page says, and how it is run.
import { askFor } from './missing.js';
import { describedInputs, describedUniforms } from './dialects.js';
import { feedbackOf, isRunFile, programOf, settingsOf } from './settings.js';

const $ = (id) => document.getElementById(id);
const CALM = matchMedia('(prefers-reduced-motion: reduce)').matches;

export const names = (list) => new Set(list.map(({ name }) => name));

const NOTHING = { inputs: [], uniforms: [], outputs: [], missing: [], steps: 1, dialect: 'plain' };

export class Program {
    #checks = 0;
    #checking;
    #runs = 0;
    // Uniforms that wait to be set, the latest value of each.
    #queued = new Map();
    #turning = false;
    // Arrays of files, which are read once for each file.
    #arrays = new WeakMap();

    // The texts of the last run.
    #ran;

    /** What the text that compiled last declares. */
    declared = NOTHING;
    /** Whether `declared` is of the text as it is. */
    isKnown = false;
    /** Whether the experiment on the device is no longer what the page says. */
    stale = true;

    /** `parts` are the rows and views of the page; `told` has `declared()`, `starts()`, `ran()` and `files`, and the places of errors:
     * `failures`. */
    constructor(state, runner, parts, told) {
        Object.assign(this, { state, runner, told }, parts);
    }

    /** Asks the engine what the program declares; tells whether it compiles, as the last check finds it: a run waits for that one. */
    check() {
        this.#checking = this.#check();
        return this.#checking;
    }

    async #check() {
        const mine = ++this.#checks;
        this.isKnown = false;
        try {
            const program = await programOf(this.state);
            const answer = await this.runner.ask((e) => e.declares(program));
            if (mine !== this.#checks) return this.#checking;
            this.declared = answer;
            this.isKnown = true;
            this.#declare();
            return true;
        } catch (error) {
            if (mine !== this.#checks) return this.#checking;
            this.told.failures.ofText(error);
            return false;
        }
    }

    #declare() {
        const { state, declared } = this;
        const text = state.files[state.main];
        const says = isRunFile(state.main) ? 'the run file' : declared.dialect === 'isf' ? 'the shader' : undefined;
        this.told.failures.clear();
        askFor(declared.missing, state, this.told.files);
        this.inputs.show(describedInputs(declared, text));
        this.uniforms.show(describedUniforms(declared, text), { says });
        this.settings.show(declared);
        $('dialect').textContent = declared.dialect === 'plain' ? '' : `(read as ${declared.readAs})`;
        $('iterate').placeholder = declared.steps > 1 ? String(declared.steps) : 'no end';
        this.told.declared();
    }

    /** Whether further steps can change anything. */
    get moves() {
        return this.runner.experiment?.changes ?? true;
    }

    /** Whether a text is another one than in the last run. */
    get isEdited() {
        const { files, main } = this.state;
        if (!this.#ran) return false;
        const names = new Set([...Object.keys(files), ...Object.keys(this.#ran.files)]);
        return main !== this.#ran.main || [...names].some((name) => files[name] !== this.#ran.files[name]);
    }

    /** The steps that repeat what the page shows; 0 where they change nothing. Before a run: those that it would end after. */
    get steps() {
        const { state, declared, runner } = this;
        if (!this.stale && runner.experiment) return this.moves ? runner.iteration : 0;
        const fed = Object.keys(feedbackOf(state, names(declared.outputs), names(declared.inputs))).length > 0;
        const counts = [...names(declared.uniforms)].some((name) => /^(iteration|repetition)$/.test(name));
        return fed || counts || isRunFile(state.main) || declared.dialect !== 'plain' ? (state.iterate ?? 0) : 0;
    }

    /** Forgets what was declared, for another program. */
    reset() {
        this.#checks++;
        this.#runs++;
        this.declared = NOTHING;
        this.isKnown = false;
        this.stale = true;
        this.#ran = undefined;
    }

    /** Runs what the page says, or goes on where it was paused. */
    async run({ once = false } = {}) {
        const { runner } = this;
        const mine = ++this.#runs;
        const isLast = () => mine === this.#runs;
        const isPaused = !this.stale && runner.experiment && runner.iteration > 0 && !runner.ended && !runner.playing;
        try {
            if (!(isPaused && this.moves) && !(await this.#prepare(isLast))) return;
            if (!isLast()) return;
            if (once || (CALM && !isPaused)) await runner.step();
            else await runner.play();
        } catch (error) {
            this.told.failures.show(error);
            // What was computed before is not what the page says.
            if (!this.stale || !isLast() || ['stopped', 'lost', 'unsupported'].includes(error.kind)) return;
            runner.forget();
            this.result.clear();
        }
    }

    async #prepare(isLast) {
        const { state, runner } = this;
        this.told.failures.clear();
        this.inputs.clear();
        if (!(await this.check())) return false;
        const { missing } = this.declared;
        if (missing.length)
            throw new Error(`${state.main} names files that are not here: ${missing.join(', ')}; give them under the program`);
        const wrong = this.inputs.wrong ?? this.settings.wrong;
        if (wrong) throw new Error(wrong);
        this.told.starts();
        const before = JSON.stringify(state);
        const texts = { files: state.files, main: state.main };
        const given = await settingsOf(state, this.declared, this.settings.size, (...file) => this.#read(...file));
        // An earlier run would take the place of the experiment that the last one makes, and not play it.
        if (!isLast()) return false;
        const experiment = await runner.prepare(given);
        if (!experiment) return false;
        this.#queued.clear();
        this.#ran = texts;
        this.stale = JSON.stringify(state) !== before;
        this.result.offer(experiment.outputs, experiment.dialect !== 'plain' || this.#readsPicture());
        Object.assign(runner, { output: this.result.output, pace: state.pace, end: this.end });
        this.told.ran();
        return true;
    }

    // What is computed of a picture is looked at as a picture.
    #readsPicture() {
        const { state } = this;
        const own = [...names(this.declared.inputs)].map((name) => state.inputs[name] ?? '');
        return [...own, ...Object.values(state.given)].some((rule) => /\.(png|jpe?g)$/i.test(rule));
    }

    /** The step at which a run ends by itself, if it does. */
    get end() {
        const { state, runner } = this;
        if (!this.moves) return 1;
        if (state.iterate !== null) return state.iterate;
        const steps = runner.experiment?.steps ?? 1;
        return steps > 1 ? steps : undefined;
    }

    async #read(input, name, bytes) {
        try {
            if (!this.#arrays.has(bytes)) this.#arrays.set(bytes, await this.runner.ask((e) => e.readFile(name, bytes)));
        } catch (error) {
            throw Object.assign(new Error(`input ${input}: ${error.message}`), { kind: error.kind });
        }
        const { data, shape } = this.#arrays.get(bytes);
        return { data, shape };
    }

    /** Sets a uniform for the next step; where steps change nothing, there is a step at once. */
    async turn(name, value) {
        const { runner } = this;
        this.#queued.set(name, value);
        if (this.#turning || !runner.experiment) return;
        this.#turning = true;
        try {
            while (this.#queued.size && runner.experiment) await this.#turnNext();
        } catch (error) {
            this.told.failures.show(error);
        } finally {
            this.#turning = false;
        }
    }

    async #turnNext() {
        const { runner } = this;
        const [[name, value]] = this.#queued;
        this.#queued.delete(name);
        // The text may declare what the experiment does not have yet.
        if (names(runner.experiment.uniforms).has(name)) await runner.set(name, value);
        if (this.#queued.size || this.moves) return;
        await runner.restart();
        await runner.step();
    }

    /** Begins anew, with what the page says. */
    async restart() {
        if (!this.stale && this.runner.experiment) {
            await this.runner.restart();
            this.result.clear();
        }
        return this.run();
    }

    /** One step. */
    step() {
        return this.stale || !this.runner.experiment ? this.run({ once: true }) : this.runner.step();
    }
}
