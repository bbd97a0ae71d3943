// Runs tests in a worker, which is started anew after a panic, after a test that does not end, and from time to time, since a browser
// keeps few contexts.

const LIMIT = 120_000;
const TESTS = 20;

class Runner {
    #worker = null;
    #count = 0;

    names() {
        return this.#ask(null);
    }

    async run(name) {
        const answer = await this.#ask(name);
        if (answer.failed !== undefined || ++this.#count % TESTS === 0) this.#end();
        return answer;
    }

    #end() {
        this.#worker?.terminate();
        this.#worker = null;
    }

    #ask(name) {
        this.#worker ??= new Worker('worker.js', { type: 'module' });
        return new Promise((resolve) => {
            const timer = setTimeout(() => resolve({ failed: `it took longer than ${LIMIT} ms` }), LIMIT);
            const answer = (found) => {
                clearTimeout(timer);
                resolve(found);
            };
            this.#worker.onmessage = ({ data }) => answer(data);
            this.#worker.onerror = (event) => answer({ failed: event.message });
            this.#worker.postMessage(name);
        });
    }
}

window.runner = new Runner();
