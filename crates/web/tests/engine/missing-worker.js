// The worker of the engine in a browser without WebGL 2: see missing.js, which must come first.
import './missing.js';
import '/package/worker.js';
