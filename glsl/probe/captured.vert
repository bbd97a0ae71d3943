// Writes to each component of an output of this type the number of its point, counted from 1, to find out whether it can be captured.

flat out TYPE number;

void main() {
    number = TYPE(gl_VertexID + 1);
    gl_Position = vec4(0.0);
}
