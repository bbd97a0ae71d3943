// What a CUDA user has for the operations of `quadrille bench`, one JSON line each on standard output:
//   nvcc -O3 -arch=native benches/cuda.cu -lcublas -o cuda && ./cuda [task ...] [elements ...]
// Tasks: vectors, sum, primitives, jacobi, launch, transfers, sgemm, power; elements: of vectors, else 2^24, 2^26 and 2^28.
// `benches/compare_cuda.py` runs it beside quadrille.
//
// Device times are CUDA events around a chain of calls that lasts about 2 ms, divided by the calls. What ends on the host,
// which are reductions, transfers and launches, is timed by the host's clock. Rates are of the median of nine runs: GB/s, or
// G/s of sorts, GFLOP/s of sgemm and jacobi (20 operations an unknown), or microseconds of launch and power. Every result is compared with
// double precision, and one that rounding does not explain ends the program with 1.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#define CUDA(call)                                                                             \
  do {                                                                                         \
    cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));      \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)
#define BLAS(call)                                                                             \
  do {                                                                                         \
    cublasStatus_t status = (call);                                                            \
    if (status != CUBLAS_STATUS_SUCCESS) {                                                     \
      std::fprintf(stderr, "%s:%d: cuBLAS status %d\n", __FILE__, __LINE__, (int)status);      \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)

static const int RUNS = 9;

// ---------------------------------------------------------------- kernels

__global__ void axpy4(const float4 *x, const float4 *y, float4 *to, float a, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = x[i], v = y[i];
  to[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
}

__global__ void copy4(const float4 *x, float4 *to, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = x[i];
}

__global__ void scal4(float4 *x, float a, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = x[i];
  x[i] = make_float4(a * u.x, a * u.y, a * u.z, a * u.w);
}

__device__ float power(float x) {  // x^50 by 49 multiplies, as the paper's program makes them
  float p = x;
#pragma unroll
  for (int i = 0; i < 49; i++) p = __fmul_rn(p, x);
  return p;
}

__global__ void power4(const float4 *x, float4 *to, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = x[i];
  to[i] = make_float4(power(u.x), power(u.y), power(u.z), power(u.w));
}

__global__ void add1(const float *x, float *to) { *to = *x + 1.f; }

// Nine bands one after the other; x and the next x have w + 1 zeros on both sides. A band is 0 where its neighbour is outside.
__global__ void jacobi_step(const float *__restrict__ bands, const float *__restrict__ b, const float *__restrict__ x,
                            float *__restrict__ next, int w, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *q = x + w + 1 + i, *a = bands + i;
  float d = a[4 * n], c = q[0];
  float sum = a[0] * q[-w - 1] + a[n] * q[-w] + a[2 * n] * q[-w + 1] + a[3 * n] * q[-1] + d * c + a[5 * n] * q[1] +
              a[6 * n] * q[w - 1] + a[7 * n] * q[w] + a[8 * n] * q[w + 1];
  next[w + 1 + i] = c + (b[i] - sum) / d;
}

// ---------------------------------------------------------------- measuring

static double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

static void emit(const char *task, const char *peer, size_t n, double ms, double work, const char *unit) {
  double rate = std::strcmp(unit, "us") ? work / ms / 1e6 : ms * 1e3;
  std::printf("{\"task\": \"%s\", \"peer\": \"%s\", \"n\": %zu, \"median_ms\": %.6g, \"rate\": %.6g, \"unit\": \"%s\"}\n", task,
              peer, n, ms, rate, unit);
  std::fflush(stdout);
}

static void must_hold(const char *what, double error, double bound) {
  if (error <= bound) return;
  std::fprintf(stderr, "%s is off by %g, and rounding explains %g\n", what, error, bound);
  std::exit(1);
}

// Milliseconds of one call.
static double on_device(const std::function<void()> &call) {
  cudaEvent_t begin, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  auto once = [&](int calls) {
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaEventRecord(begin));
    for (int i = 0; i < calls; i++) call();
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaGetLastError());
    float ms = 0;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return (double)ms / calls;
  };
  once(1);
  int calls = (int)std::min(1000.0, std::max(1.0, std::ceil(2.0 / std::max(once(1), 1e-3))));
  once(calls);
  std::vector<double> times;
  for (int run = 0; run < RUNS; run++) times.push_back(once(calls));
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
  return median(times);
}

// Milliseconds of one call whose result is on the host.
static double on_host(int calls, const std::function<void()> &call) {
  std::vector<double> times;
  for (int run = -2; run < RUNS; run++) {
    CUDA(cudaDeviceSynchronize());
    double begin = now_ms();
    for (int i = 0; i < calls; i++) call();
    CUDA(cudaDeviceSynchronize());
    if (run >= 0) times.push_back((now_ms() - begin) / calls);
  }
  return median(times);
}

struct Array {
  float *p = nullptr;
  size_t n;
  explicit Array(size_t n) : n(n) { CUDA(cudaMalloc(&p, n * sizeof(float))); }
  explicit Array(const std::vector<float> &v) : Array(v.size()) { write(v); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cudaFree(p); }
  void write(const std::vector<float> &v) { CUDA(cudaMemcpy(p, v.data(), n * sizeof(float), cudaMemcpyHostToDevice)); }
  std::vector<float> read() const {
    std::vector<float> v(n);
    CUDA(cudaMemcpy(v.data(), p, n * sizeof(float), cudaMemcpyDeviceToHost));
    return v;
  }
  float4 *four() const { return (float4 *)p; }
};

static std::vector<float> numbers(size_t n, uint64_t seed, float from = -1.f, float to = 1.f) {
  uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  std::vector<float> v(n);
  for (auto &x : v) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    x = from + (to - from) * (float)((z >> 40) / 16777216.0);
  }
  return v;
}

static unsigned blocks(size_t threads) { return (unsigned)((threads + 255) / 256); }

// ---------------------------------------------------------------- tasks

static void vectors(size_t n) {
  auto x = numbers(n, 1), y = numbers(n, 2);
  Array X(x), Y(y), Z(n);
  const double unit = std::ldexp(1.0, -24);
  double work = 4.0 * n;
  unsigned grid = blocks(n / 4);

  float *from = Y.p, *to = Z.p;
  auto axpy = [&] {
    axpy4<<<grid, 256>>>(X.four(), (float4 *)from, (float4 *)to, 0.7f, n / 4);
    std::swap(from, to);
  };
  axpy();
  auto got = Z.read();
  double error = 0;
  for (size_t i = 0; i < n; i++) error = std::max(error, std::fabs(got[i] - (0.7f * (double)x[i] + y[i])));
  must_hold("axpy", error, 4 * unit);
  emit("saxpy", "float4 kernel", n, on_device(axpy), 3 * work, "GB/s");

  Y.write(y);
  emit("copy", "float4 kernel", n, on_device([&] { copy4<<<grid, 256>>>(X.four(), Z.four(), n / 4); }), 2 * work, "GB/s");
  must_hold("copy", Z.read() == x ? 0 : 1, 0);
  scal4<<<grid, 256>>>(Z.four(), -1.f, n / 4);
  must_hold("scal", Z.read()[n - 1] == -x[n - 1] ? 0 : 1, 0);
  emit("scal", "float4 kernel", n, on_device([&] { scal4<<<grid, 256>>>(Z.four(), -1.f, n / 4); }), 2 * work, "GB/s");

  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  double dot = 0, squares = 0, magnitudes = 0;
  size_t largest = 0;
  for (size_t i = 0; i < n; i++) {
    dot += (double)x[i] * y[i];
    squares += (double)x[i] * x[i];
    magnitudes += std::fabs((double)x[i]);
    if (std::fabs(x[i]) > std::fabs(x[largest])) largest = i;
  }
  float result = 0;
  int index = 0;
  const int calls = 20;
  double bound = 1e-4;  // relative to the magnitudes: how cuBLAS adds is not documented
  double ms = on_host(calls, [&] { BLAS(cublasSdot(handle, (int)n, X.p, 1, Y.p, 1, &result)); });
  must_hold("dot", std::fabs(result - dot), bound * magnitudes);
  emit("dot", "cuBLAS", n, ms, 2 * work, "GB/s");
  ms = on_host(calls, [&] { BLAS(cublasSnrm2(handle, (int)n, X.p, 1, &result)); });
  must_hold("nrm2", std::fabs(result - std::sqrt(squares)), bound * std::sqrt(squares));
  emit("nrm2", "cuBLAS", n, ms, work, "GB/s");
  ms = on_host(calls, [&] { BLAS(cublasSasum(handle, (int)n, X.p, 1, &result)); });
  must_hold("asum", std::fabs(result - magnitudes), bound * magnitudes);
  emit("asum", "cuBLAS", n, ms, work, "GB/s");
  ms = on_host(calls, [&] { BLAS(cublasIsamax(handle, (int)n, X.p, 1, &index)); });
  must_hold("iamax", std::fabs((double)(index - 1) - (double)largest), 0);
  emit("iamax", "cuBLAS", n, ms, work, "GB/s");

  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  Array R(1);
  ms = on_device([&] { BLAS(cublasSdot(handle, (int)n, X.p, 1, Y.p, 1, R.p)); });
  must_hold("dot on the device", std::fabs(R.read()[0] - dot), bound * magnitudes);
  emit("dot-on-device", "cuBLAS", n, ms, 2 * work, "GB/s");
  ms = on_device([&] { BLAS(cublasSnrm2(handle, (int)n, X.p, 1, R.p)); });
  must_hold("nrm2 on the device", std::fabs(R.read()[0] - std::sqrt(squares)), bound * std::sqrt(squares));
  emit("nrm2-on-device", "cuBLAS", n, ms, work, "GB/s");
  ms = on_device([&] { BLAS(cublasSasum(handle, (int)n, X.p, 1, R.p)); });
  must_hold("asum on the device", std::fabs(R.read()[0] - magnitudes), bound * magnitudes);
  emit("asum-on-device", "cuBLAS", n, ms, work, "GB/s");
  BLAS(cublasDestroy(handle));
}

static void sum(size_t n) {
  auto x = numbers(n, 5);
  double exact = 0, magnitudes = 0;
  for (float v : x) exact += v, magnitudes += std::fabs((double)v);
  Array X(x), to(1);
  void *room = nullptr;
  size_t bytes = 0;
  CUDA(cub::DeviceReduce::Sum(room, bytes, X.p, to.p, (int)n));
  CUDA(cudaMalloc(&room, bytes));
  float got = 0;
  double ms = on_host(20, [&] {
    CUDA(cub::DeviceReduce::Sum(room, bytes, X.p, to.p, (int)n));
    CUDA(cudaMemcpy(&got, to.p, sizeof got, cudaMemcpyDeviceToHost));
  });
  must_hold("sum", std::fabs(got - exact), 1e-4 * magnitudes);
  emit("sum", "cub", n, ms, 4.0 * n, "GB/s");
  ms = on_device([&] { CUDA(cub::DeviceReduce::Sum(room, bytes, X.p, to.p, (int)n)); });
  emit("sum-on-device", "cub", n, ms, 4.0 * n, "GB/s");
  CUDA(cudaFree(room));
}

// A call of cub, first for the room that it needs.
template <class Call>
static void *room_for(size_t &bytes, Call call) {
  void *room = nullptr;
  CUDA(call(room));
  CUDA(cudaMalloc(&room, bytes));
  return room;
}

// A sum that the order of numbers does not change, and other numbers do.
static uint64_t fingerprint(const std::vector<uint32_t> &v) {
  uint64_t sum = 0;
  for (uint32_t x : v) {
    uint64_t z = x + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    sum += z ^ (z >> 27);
  }
  return sum;
}

struct Above {
  __host__ __device__ bool operator()(float x) const { return x > 0.5f; }
};

static void scan_and_select(size_t n) {
  auto x = numbers(n, 15, 0.f, 1.f);
  Array X(x), Y(n);
  size_t bytes = 0;
  auto scan = [&](void *room) { return cub::DeviceScan::InclusiveSum(room, bytes, X.p, Y.p, (int)n); };
  void *room = room_for(bytes, scan);
  double ms = on_device([&] { CUDA(scan(room)); });
  double sum = 0, error = 0;
  auto y = Y.read();
  for (size_t i = 0; i < n; i++) sum += x[i], error = std::max(error, std::fabs(y[i] - sum) / (sum + 1e-30));
  must_hold("scan", error, 1e-4);
  emit("scan", "cub", n, ms, 8.0 * n, "GB/s");
  CUDA(cudaFree(room));

  int *number = nullptr, got = 0;
  CUDA(cudaMalloc(&number, sizeof(int)));
  auto select = [&](void *room) { return cub::DeviceSelect::If(room, bytes, X.p, Y.p, number, (int)n, Above()); };
  room = room_for(bytes, select);
  auto call = [&] {
    CUDA(select(room));
    CUDA(cudaMemcpy(&got, number, sizeof got, cudaMemcpyDeviceToHost));
  };
  ms = on_host(n < (1 << 24) ? 20 : 3, call);
  std::vector<float> kept;
  std::copy_if(x.begin(), x.end(), std::back_inserter(kept), Above());
  y = Y.read();
  must_hold("select", (size_t)got == kept.size() && std::equal(kept.begin(), kept.end(), y.begin()) ? 0 : 1, 0);
  emit("select", "cub", n, ms, 8.0 * n, "GB/s");
  CUDA(cudaFree(room));
  CUDA(cudaFree(number));
}

static void sorts(size_t n) {
  std::vector<uint32_t> x(n), places(n), got(n);
  uint64_t state = n;
  for (size_t i = 0; i < n; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    x[i] = (uint32_t)(state >> 32);
    places[i] = (uint32_t)i;
  }
  size_t whole = n * sizeof(uint32_t), bytes = 0;
  uint32_t *X, *Y, *P, *Q;
  for (uint32_t **p : {&X, &Y, &P, &Q}) CUDA(cudaMalloc(p, whole));
  CUDA(cudaMemcpy(X, x.data(), whole, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(P, places.data(), whole, cudaMemcpyHostToDevice));

  auto sort = [&](void *room) { return cub::DeviceRadixSort::SortKeys(room, bytes, X, Y, (int)n); };
  void *room = room_for(bytes, sort);
  double ms = on_device([&] { CUDA(sort(room)); });
  CUDA(cudaMemcpy(got.data(), Y, whole, cudaMemcpyDeviceToHost));
  must_hold("sort", std::is_sorted(got.begin(), got.end()) && fingerprint(got) == fingerprint(x) ? 0 : 1, 0);
  emit("sort", "cub", n, ms, (double)n, "G/s");
  CUDA(cudaFree(room));

  auto argsort = [&](void *room) { return cub::DeviceRadixSort::SortPairs(room, bytes, X, Y, P, Q, (int)n); };
  room = room_for(bytes, argsort);
  ms = on_device([&] { CUDA(argsort(room)); });
  CUDA(cudaMemcpy(got.data(), Q, whole, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 1; i < n; i++) {
    uint32_t a = got[i - 1], b = got[i];
    wrong += a >= n || b >= n || std::make_pair(x[a], a) >= std::make_pair(x[b], b);
  }
  must_hold("argsort", (double)wrong, 0);
  emit("argsort", "cub", n, ms, (double)n, "G/s");
  CUDA(cudaFree(room));
  for (uint32_t *p : {X, Y, P, Q}) CUDA(cudaFree(p));
}

// Of 256 bins, for random numbers and for one that repeats.
static void histograms(size_t n) {
  const int bins = 256;
  std::vector<uint32_t> x(n), expected(bins), got(bins);
  size_t bytes = 0;
  uint32_t *X, *counts;
  CUDA(cudaMalloc(&X, n * sizeof(uint32_t)));
  CUDA(cudaMalloc(&counts, bins * sizeof(uint32_t)));
  for (const char *task : {"histogram", "histogram-one"}) {
    std::fill(expected.begin(), expected.end(), 0u);
    uint64_t state = n;
    for (auto &v : x) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      v = std::strcmp(task, "histogram") ? 7 : (uint32_t)(state >> 56);
      expected[v]++;
    }
    CUDA(cudaMemcpy(X, x.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    auto count = [&](void *room) {
      return cub::DeviceHistogram::HistogramEven(room, bytes, X, counts, bins + 1, 0u, (uint32_t)bins, (int)n);
    };
    void *room = room_for(bytes, count);
    double ms = on_device([&] { CUDA(count(room)); });
    CUDA(cudaMemcpy(got.data(), counts, bins * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    must_hold(task, got == expected ? 0 : 1, 0);
    emit(task, "cub", n, ms, 4.0 * n, "GB/s");
    CUDA(cudaFree(room));
  }
  CUDA(cudaFree(X));
  CUDA(cudaFree(counts));
}

static void jacobi(int w) {
  size_t n = (size_t)w * w, edge = (size_t)w + 1;
  auto bands = numbers(9 * n, 7), b = numbers(n, 8);
  for (size_t i = 0; i < n; i++) {
    double magnitudes = 1;
    for (int k = 0; k < 9; k++) {
      long column = (long)(i % w) + k % 3 - 1, row = (long)(i / w) + k / 3 - 1;
      if (column < 0 || row < 0 || column >= w || row >= w) bands[k * n + i] = 0.f;
      if (k != 4) magnitudes += std::fabs(bands[k * n + i]);
    }
    bands[4 * n + i] = (float)magnitudes;
  }
  Array A(bands), B(b), X(std::vector<float>(n + 2 * edge, 0.f)), next(std::vector<float>(n + 2 * edge, 0.f));
  float *from = X.p, *to = next.p;
  auto step = [&] {
    jacobi_step<<<blocks(n), 256>>>(A.p, B.p, from, to, w, n);
    std::swap(from, to);
  };
  step();
  step();
  auto got = X.read();
  double error = 0;
  std::vector<double> first(n + 2 * edge, 0.0);
  for (size_t i = 0; i < n; i++) first[edge + i] = (double)b[i] / bands[4 * n + i];
  for (size_t i = 0; i < n; i++) {
    double total = 0;
    for (int k = 0; k < 9; k++) total += (double)bands[k * n + i] * first[i + (size_t)(k / 3) * w + k % 3];
    error = std::max(error, std::fabs(got[edge + i] - (first[edge + i] + (b[i] - total) / bands[4 * n + i])));
  }
  must_hold("jacobi", error, 1e-5);
  emit("jacobi", "one thread an unknown", n, on_device(step), 20.0 * n, "GFLOP/s");
}

static void launch() {
  Array X(std::vector<float>(1, 0.f)), Y(1);
  float *from = X.p, *to = Y.p;
  double ms = on_host(1000, [&] {
    add1<<<1, 1>>>(from, to);
    std::swap(from, to);
  });
  must_hold("launch", std::fabs(X.read()[0] - 1000.0 * (RUNS + 2)), 0);
  emit("launch", "1000 dependent kernels", 1, ms, 0, "us");
}

static void transfers(size_t n) {
  auto x = numbers(n, 9);
  std::vector<float> back(n, 0.f);  // touched
  size_t bytes = n * sizeof(float);
  Array X(n);
  auto both = [&](const char *peer, float *out, float *in) {
    double up = on_host(1, [&] { CUDA(cudaMemcpy(X.p, out, bytes, cudaMemcpyHostToDevice)); });
    double down = on_host(1, [&] { CUDA(cudaMemcpy(in, X.p, bytes, cudaMemcpyDeviceToHost)); });
    must_hold(peer, std::memcmp(in, x.data(), bytes) ? 1 : 0, 0);
    emit("upload", peer, n, up, 4.0 * n, "GB/s");
    emit("readback", peer, n, down, 4.0 * n, "GB/s");
  };
  both("pageable", x.data(), back.data());
  float *out = nullptr, *in = nullptr;
  CUDA(cudaMallocHost(&out, bytes));
  CUDA(cudaMallocHost(&in, bytes));
  std::memcpy(out, x.data(), bytes);
  std::memset(in, 0, bytes);
  both("pinned", out, in);
  CUDA(cudaFreeHost(out));
  CUDA(cudaFreeHost(in));
}

static void sgemm(int n) {
  auto a = numbers((size_t)n * n, 11), b = numbers((size_t)n * n, 12);
  Array A(a), B(b), C((size_t)n * n);
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  BLAS(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // true 32-bit floats
  const float one = 1.f, zero = 0.f;
  // C = A B by rows is its transpose by columns, B' A'.
  auto multiply = [&] {
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B.p, n, A.p, n, &zero, C.p, n));
  };
  double ms = on_device(multiply);
  auto c = C.read();
  double error = 0;
  for (int i : {0, n / 2, n - 1})
    for (int j = 0; j < n; j++) {
      double exact = 0;
      for (int k = 0; k < n; k++) exact += (double)a[(size_t)i * n + k] * b[(size_t)k * n + j];
      error = std::max(error, std::fabs(c[(size_t)i * n + j] - exact));
    }
  must_hold("sgemm", error, 1e-6 * n);
  emit("sgemm", "cuBLAS", n, ms, 2.0 * n * n * n, "GFLOP/s");
  BLAS(cublasDestroy(handle));
}

static void powers(size_t n) {
  auto x = numbers(n, 13, 0.5f, 1.5f);
  Array X(x), Y(n);
  auto run = [&] { power4<<<blocks(n / 4), 256>>>(X.four(), Y.four(), n / 4); };
  double ms = on_device(run);
  auto y = Y.read();
  double error = 0;
  for (size_t i = 0; i < n; i++) error = std::max(error, std::fabs(y[i] / std::pow((double)x[i], 50.0) - 1));
  must_hold("x^50", error, 50 * std::ldexp(1.0, -24));
  emit("power", "float4 kernel", n, ms, 0, "us");
}

int main(int argc, char **argv) {
  std::vector<std::string> tasks;
  std::vector<size_t> sizes;
  for (int i = 1; i < argc; i++) {
    if (std::isdigit((unsigned char)argv[i][0])) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    else tasks.push_back(argv[i]);
  }
  if (sizes.empty()) sizes = {1 << 24, 1 << 26, 1 << 28};
  auto wants = [&](const char *task) { return tasks.empty() || std::count(tasks.begin(), tasks.end(), task); };
  cudaDeviceProp device;
  CUDA(cudaGetDeviceProperties(&device, 0));
  std::fprintf(stderr, "%s\n", device.name);
  if (wants("vectors"))
    for (size_t n : sizes) vectors(n / 4 * 4);
  if (wants("sum"))
    for (size_t n : sizes) sum(n);
  if (wants("primitives"))
    for (size_t n : sizes) scan_and_select(n), sorts(n), histograms(n);
  if (wants("jacobi"))
    for (int side : {1024, 4096}) jacobi(side);
  if (wants("launch")) launch();
  if (wants("transfers")) transfers((size_t)1 << 24);
  if (wants("sgemm"))
    for (int n : {1024, 2048, 4000, 4096}) sgemm(n);
  if (wants("power")) powers(10000000);
  return 0;
}
