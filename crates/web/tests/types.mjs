// Compiles usage.ts against crates/web/package/index.d.ts, which tests/web copies beside it.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));

export async function types() {
    const tsc = path.join(here, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '--project', here]).catch((error) => {
        throw new Error(`the example does not compile:\n${error.stdout || error.message}`);
    });
}
