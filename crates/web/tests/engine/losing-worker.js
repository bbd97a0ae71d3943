// The worker of the engine, with contexts that are lost: see losing.js, which must come first.
import './losing.js';
import '/package/worker.js';
