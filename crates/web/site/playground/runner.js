// Runs an experiment: one step, or steps for each frame of the screen. It watches over the time an answer takes, and knows no element
// of the page.
import { engine, restart } from '../common/engine.js';

const PATIENCE = 5000;
// Steps a second are measured over this time.
const SPAN = 700;

export class Runner {
    #experiment;
    #turn = 0;
    #loop;
    #frame = 0;
    #prepared = 0;
    #waiting = new Set();
    #slow = false;
    playing = false;
    iteration = 0;
    speed = 0;

    /** Is told: `onframe(array)`, `onstatus()`, `onslow(slow)`, `onerror(error)`. */
    constructor(told) {
        this.told = told;
        /** The output that is read after each frame. */
        this.output = undefined;
        /** Steps a frame, and where to end. */
        this.pace = 1;
        this.end = undefined;
    }

    get experiment() {
        return this.#experiment;
    }

    /** Calls the engine under watch. What an engine that was stopped was asked for is an error of kind `stopped`. */
    async ask(call) {
        const turn = this.#turn;
        const timer = setTimeout(() => this.#late(timer), PATIENCE);
        try {
            return await call(await engine());
        } catch (error) {
            throw turn === this.#turn ? error : Object.assign(new Error('the engine was stopped'), { kind: 'stopped' });
        } finally {
            clearTimeout(timer);
            if (this.#waiting.delete(timer) && !this.#waiting.size) this.#tellSlow(false);
        }
    }

    #late(timer) {
        this.#waiting.add(timer);
        this.#tellSlow(true);
    }

    #tellSlow(slow) {
        if (slow === this.#slow) return;
        this.#slow = slow;
        this.told.onslow(slow);
    }

    /** Makes the experiment of some settings, in place of the one before; nothing if another one was asked for meanwhile. */
    async prepare(settings) {
        const mine = ++this.#prepared;
        await this.#halt();
        this.forget();
        const made = await this.ask((e) => e.experiment(settings));
        if (mine !== this.#prepared) {
            made.close().catch(() => {});
            return undefined;
        }
        this.#experiment = made;
        this.told.onstatus();
        return made;
    }

    /** Frees the experiment; what it still computes is not shown. */
    forget() {
        this.playing = false;
        const old = this.#experiment;
        this.#experiment = undefined;
        // An engine that has ended has freed it.
        old?.close().catch(() => {});
        this.#begin();
        this.told.onstatus();
    }

    /** Runs steps until it is paused or at its end. */
    async play() {
        await this.#halt();
        this.playing = true;
        this.told.onstatus();
        this.#loop = this.#frames(++this.#frame);
        return this.#loop;
    }

    async #frames(mine) {
        const goesOn = () => this.playing && mine === this.#frame;
        let [from, since] = [this.iteration, performance.now()];
        try {
            while (goesOn() && !this.ended) {
                await frame();
                if (goesOn()) await this.#advance(Math.min(this.pace, this.end ? this.end - this.iteration : Infinity));
                const now = performance.now();
                if (now - since < SPAN) continue;
                this.speed = (1000 * (this.iteration - from)) / (now - since);
                [from, since] = [this.iteration, now];
            }
        } catch (error) {
            this.told.onerror(error);
        }
        if (mine !== this.#frame) return;
        this.playing = false;
        this.told.onstatus();
    }

    // Waits for the frame that is being computed, so that its answer does not come after what follows.
    async #halt() {
        this.playing = false;
        await this.#loop;
    }

    #begin() {
        this.iteration = 0;
        this.speed = 0;
    }

    get ended() {
        return this.end !== undefined && this.iteration >= this.end;
    }

    pause() {
        this.playing = false;
        this.told.onstatus();
    }

    /** One step. */
    async step() {
        await this.#halt();
        await this.#advance(1);
    }

    async #advance(count) {
        const experiment = this.#experiment;
        if (!experiment || count <= 0) return;
        const iteration = await this.ask(() => experiment.step(count));
        if (experiment !== this.#experiment) return;
        this.iteration = iteration;
        await this.show();
    }

    /** Reads the output that is looked at. */
    async show() {
        const experiment = this.#experiment;
        if (!experiment || !this.iteration) return;
        const array = await this.ask(() => experiment.read(this.output));
        if (experiment !== this.#experiment) return;
        this.told.onframe(array);
        this.told.onstatus();
    }

    /** Back to before the first step. */
    async restart() {
        await this.#halt();
        await this.ask(() => this.#experiment?.restart());
        this.#begin();
        this.told.onstatus();
    }

    async set(uniform, value) {
        if (this.#experiment) await this.ask(() => this.#experiment.set(uniform, value));
    }

    /** Ends the engine, whatever it does, and starts another one. */
    async stop() {
        this.#turn++;
        this.#frame++;
        this.playing = false;
        this.#experiment = undefined;
        this.#loop = undefined;
        this.#waiting.clear();
        this.#tellSlow(false);
        this.told.onstatus();
        return restart();
    }
}

// A hidden page gets no frames; it computes on, but slowly.
const frame = () =>
    new Promise((resolve) => {
        const timer = setTimeout(resolve, 250);
        requestAnimationFrame(() => {
            clearTimeout(timer);
            resolve();
        });
    });
