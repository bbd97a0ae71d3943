#version 330
#extension GL_X : enable
#line 7
out float y;
