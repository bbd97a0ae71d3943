// Numbers from one storage buffer to another, untouched. Inputs: Sent. Output: Arrived.
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Sent { float sent[]; };
layout(std430, binding = 1) writeonly buffer Arrived { float arrived[]; };

void main() {
    arrived[gl_GlobalInvocationID.x] = sent[gl_GlobalInvocationID.x];
}
