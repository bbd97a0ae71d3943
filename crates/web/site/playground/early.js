// Starts the engine while the browser still reads the rest of the page. Who needs the engine is told of its errors.
import { engine } from '../common/engine.js';

engine().catch(() => {});
