out float y; /* open
