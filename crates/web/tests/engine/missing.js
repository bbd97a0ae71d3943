// Takes WebGL away.
OffscreenCanvas.prototype.getContext = () => null;
