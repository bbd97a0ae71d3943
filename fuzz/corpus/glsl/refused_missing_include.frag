  #include "nowhere.glsl" // no
