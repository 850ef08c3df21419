/**
 * The passes of a warm frame, native: a twin of packages/wasm/assembly on the same image of memory, to see what WebAssembly
 * costs. Reads an image, runs the passes, prints the median and the lower tenth of their times in ms, writes the positions.
 *
 *   frame <image> <bytes of the image> <its first address> <blocks: vertices> <volumes> <all> <rounds> <out> <out bytes>
 *
 * layout.h is made from packages/wasm/src/layout.ts (time-native.mjs).
 */
#include <smmintrin.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "layout.h"

typedef uint32_t u32;
typedef __m128 v4;
static char *memory;
static u32 frame;

template <class T> static inline T &at(u32 address) { return *(T *)(memory + address); }
static inline u32 word(u32 address) { return at<u32>(address); }
static inline v4 load(u32 address) { return _mm_loadu_ps((float *)(memory + address)); }
static inline v4 splat(u32 address) { return _mm_set1_ps(at<float>(address)); }
static inline void store(u32 address, v4 v) { _mm_storeu_ps((float *)(memory + address), v); }
static inline v4 turn(v4 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1)); }
static inline v4 madd(v4 a, v4 b, v4 c) { return _mm_add_ps(c, _mm_mul_ps(a, b)); }
#define LANE(v, i) _mm_shuffle_ps(v, v, _MM_SHUFFLE(i, i, i, i))

static inline float sum3(v4 a) {
  return _mm_cvtss_f32(_mm_add_ss(_mm_add_ss(a, LANE(a, 1)), LANE(a, 2)));
}

static inline v4 sum3x4(v4 a, v4 b, v4 c, v4 d) {
  v4 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);
  v4 z = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
  return _mm_add_ps(_mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab)), z);
}

static inline v4 cross(v4 u, v4 v) { return _mm_sub_ps(_mm_mul_ps(u, turn(v)), _mm_mul_ps(turn(u), v)); }

static inline v4 polygon(u32 ring, u32 bytes, u32 base) {
  v4 first = load(base + word(ring)), last = load(base + word(ring + 4)), sum = _mm_setzero_ps();
  for (u32 end = ring + bytes; ring < end; ring += 8) {
    v4 b = load(base + word(ring + 8)), c = load(base + word(ring + 12));
    sum = _mm_add_ps(sum, cross(_mm_sub_ps(b, first), _mm_sub_ps(c, last)));
    last = c;
  }
  return turn(sum);
}

static inline void add(__m128d &low, __m128d &high, v4 part) {
  low = _mm_add_pd(low, _mm_cvtps_pd(part));
  high = _mm_add_pd(high, _mm_cvtps_pd(LANE(part, 2)));
}

static void storeVolume(u32 block, __m128d low, __m128d high, u32 offset = 0) {
  at<double>(word(block + BLOCK_SUMS) + offset) =
      (_mm_cvtsd_f64(low) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)) + _mm_cvtsd_f64(high)) / 6;
}

static u32 clearRow(u32 block) {
  u32 row = word(block + BLOCK_SUMS) + 16;
  memset(memory + row, 0, 16 * word(block + BLOCK_COLUMNS));
  return row;
}

static void addRow(u32 block) {
  u32 row = word(block + BLOCK_SUMS) + 16;
  for (u32 end = row + 16 * word(block + BLOCK_COLUMNS); row < end; row += 16) {
    double sum = (double)at<float>(row) + at<float>(row + 4) + at<float>(row + 8) + at<float>(row + 12);
    at<double>(row) = sum / 6;
  }
}

static void displace(u32 block, bool toOutput) {
  u32 first = word(block + BLOCK_FIRST), count = word(block + BLOCK_COUNT), lambda = word(frame + FRAME_LAMBDA);
  u32 y = word(frame + FRAME_SURFACE) + 16 * first, n = word(frame + FRAME_FIELD) + 16 * first;
  u32 order = word(frame + FRAME_ORDER) + 4 * first, out = word(frame + FRAME_OUT_POSITIONS);
  u32 phi = word(block + BLOCK_BASES);
  for (u32 end = y + 16 * count; y < end; y += 64, n += 64, order += 16) {
    v4 sums = _mm_setzero_ps();
    u32 stop = phi + 4 + word(phi);
    for (phi += 4; phi < stop; phi += 20) sums = madd(splat(lambda + at<uint16_t>(phi)), load(phi + 4), sums);
    v4 y0 = madd(LANE(sums, 0), load(n), load(y)), y1 = madd(LANE(sums, 1), load(n + 16), load(y + 16));
    v4 y2 = madd(LANE(sums, 2), load(n + 32), load(y + 32)), y3 = madd(LANE(sums, 3), load(n + 48), load(y + 48));
    if (toOutput) {
      store(out + word(order), y0);
      store(out + word(order + 4), y1);
      store(out + word(order + 8), y2);
      store(out + word(order + 12), y3);
    } else {
      store(y, y0);
      store(y + 16, y1);
      store(y + 32, y2);
      store(y + 48, y3);
    }
  }
}

static void skin(u32 block) {
  u32 first = word(block + BLOCK_FIRST), count = word(block + BLOCK_COUNT), matrices = word(frame + FRAME_MATRICES);
  u32 rest = word(frame + FRAME_REST) + REST_BYTES * first, restField = word(frame + FRAME_REST_DIRECTIONS) + 12 * first;
  u32 out = word(frame + FRAME_SURFACE) + 16 * first, field = word(frame + FRAME_FIELD) + 16 * first;
  for (u32 end = out + 16 * count; out < end; out += 16, field += 16, rest += REST_BYTES, restField += 12) {
    v4 a = _mm_setzero_ps(), b = a, c = a, x = a;
    for (u32 i = 0; i < 4; i++) {
      u32 m = matrices + 64 * at<uint16_t>(rest + REST_BONES + 2 * i);
      v4 w = splat(rest + REST_WEIGHTS + 4 * i);
      a = madd(w, load(m), a);
      b = madd(w, load(m + 16), b);
      c = madd(w, load(m + 32), c);
      x = madd(w, load(m + 48), x);
    }
    store(out, madd(c, splat(rest + 8), madd(b, splat(rest + 4), madd(a, splat(rest), x))));
    v4 n = _mm_mul_ps(a, splat(restField));
    store(field, madd(c, splat(restField + 8), madd(b, splat(restField + 4), n)));
  }
  displace(block, false);
}

static void evaluate(u32 block, bool measured) {
  static float areas[4 * BLOCK_SIZE];
  u32 first = word(block + BLOCK_FIRST), count = word(block + BLOCK_COUNT), positions = word(frame + FRAME_SURFACE);
  u32 ring = word(block + BLOCK_RINGS), order = word(frame + FRAME_ORDER) + 4 * first, y = positions + 16 * first;
  u32 out = word(frame + FRAME_OUT_NORMALS);
  for (u32 k = 0; k < 4 * count; k += 16, order += 16) {
    for (u32 i = k; i < k + 16; i += 4) {
      u32 bytes = word(ring);
      _mm_storeu_ps(areas + i, polygon(ring + 4, bytes, positions));
      ring += 12 + bytes;
    }
    v4 a = _mm_loadu_ps(areas + k), b = _mm_loadu_ps(areas + k + 4);
    v4 c = _mm_loadu_ps(areas + k + 8), d = _mm_loadu_ps(areas + k + 12);
    v4 squares = sum3x4(_mm_mul_ps(a, a), _mm_mul_ps(b, b), _mm_mul_ps(c, c), _mm_mul_ps(d, d));
    v4 scale = _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(_mm_max_ps(squares, _mm_set1_ps(1e-37f))));
    store(out + word(order), _mm_mul_ps(a, LANE(scale, 0)));
    store(out + word(order + 4), _mm_mul_ps(b, LANE(scale, 1)));
    store(out + word(order + 8), _mm_mul_ps(c, LANE(scale, 2)));
    store(out + word(order + 12), _mm_mul_ps(d, LANE(scale, 3)));
  }
  if (!measured) return;
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  u32 row = clearRow(block), phi = word(block + BLOCK_BASES), n = word(frame + FRAME_FIELD) + 16 * first;
  __m128d low = _mm_setzero_pd(), high = low;
  for (u32 k = 0; k < 4 * count; k += 16, y += 64, n += 64) {
    v4 a = _mm_loadu_ps(areas + k), b = _mm_loadu_ps(areas + k + 4);
    v4 c = _mm_loadu_ps(areas + k + 8), d = _mm_loadu_ps(areas + k + 12);
    v4 part = _mm_mul_ps(_mm_sub_ps(load(y), origin), a);
    part = madd(_mm_sub_ps(load(y + 16), origin), b, part);
    part = madd(_mm_sub_ps(load(y + 32), origin), c, part);
    part = madd(_mm_sub_ps(load(y + 48), origin), d, part);
    add(low, high, part);
    v4 slopes = sum3x4(_mm_mul_ps(load(n), a), _mm_mul_ps(load(n + 16), b), _mm_mul_ps(load(n + 32), c),
                       _mm_mul_ps(load(n + 48), d));
    u32 stop = phi + 4 + word(phi);
    for (phi += 4; phi < stop; phi += 20) {
      u32 column = row + at<uint16_t>(phi + 2);
      store(column, madd(slopes, load(phi + 4), load(column)));
    }
  }
  storeVolume(block, low, high);
  addRow(block);
}

static void measurePairs(u32 block, u32 positions) {
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  v4 homeOrigin = load(positions + word(block + BLOCK_HOME_ANCHOR));
  u32 field = word(frame + FRAME_FIELD), record = word(block + BLOCK_RINGS), row = clearRow(block);
  __m128d low = _mm_setzero_pd(), high = low, homeLow = low, homeHigh = low;
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 bytes = word(record), k = word(record + 4);
    v4 area = polygon(record + 12, bytes, positions);
    v4 y = load(positions + k);
    add(low, high, _mm_mul_ps(_mm_sub_ps(y, origin), area));
    add(homeLow, homeHigh, _mm_mul_ps(_mm_sub_ps(y, homeOrigin), area));
    u32 phi = record + 20 + bytes, stop = phi + 8 * word(record + 8);
    record = stop;
    float slope = sum3(_mm_mul_ps(load(field + k), area));
    for (; phi < stop; phi += 8) at<float>(row + word(phi)) += slope * at<float>(phi + 4);
  }
  storeVolume(block, low, high);
  storeVolume(block, homeLow, homeHigh, 8);
  addRow(block);
}

static void measureApexPairs(u32 block, u32 positions) {
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  u32 record = word(block + BLOCK_RINGS), row = clearRow(block);
  __m128d low = _mm_setzero_pd(), high = low;
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 bytes = word(record);
    v4 area = polygon(record + 16, bytes, positions);
    add(low, high, _mm_mul_ps(_mm_sub_ps(load(positions + word(record + 4)), origin), area));
    u32 column = record + 24 + bytes, stop = column + 4 * word(record + 12), derivative = word(record + 8);
    record = stop;
    for (; column < stop; column += 4, derivative += 16)
      at<float>(row + word(column)) += sum3(_mm_mul_ps(load(derivative), area));
  }
  storeVolume(block, low, high);
  addRow(block);
}

static void measureApex(u32 block, u32 positions) {
  u32 derivatives = word(block + BLOCK_SUMS), field = word(frame + FRAME_FIELD);
  u32 record = word(block + BLOCK_RINGS);
  double sum[3] = {0, 0, 0};
  memset(memory + derivatives, 0, 16 * word(block + BLOCK_COLUMNS));
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 k = word(record);
    float weight = at<float>(record + 4);
    for (int r = 0; r < 3; r++) sum[r] += (double)weight * at<float>(positions + k + 4 * r);
    u32 entry = record + 12;
    record = entry + 8 * word(record + 8);
    v4 move = _mm_mul_ps(_mm_set1_ps(weight), load(field + k));
    for (; entry < record; entry += 8) {
      u32 to = derivatives + word(entry);
      store(to, madd(splat(entry + 4), move, load(to)));
    }
  }
  store(positions + word(block + BLOCK_PLACE), _mm_set_ps(0, sum[2], sum[1], sum[0]));
}

int main(int, char **argv) {
  size_t bytes = atoll(argv[2]), base = atoll(argv[3]);
  u32 vertexBlocks = atoi(argv[4]), volumeBlocks = atoi(argv[5]), allBlocks = atoi(argv[6]);
  int rounds = atoi(argv[7]);
  memory = (char *)aligned_alloc(4096, (base + bytes + 8191) / 4096 * 4096);
  frame = base;
  FILE *file = fopen(argv[1], "rb");
  if (!file || fread(memory + base, 1, bytes, file) != bytes) return 1;
  fclose(file);
  u32 blocks = word(frame + FRAME_BLOCKS), y = word(frame + FRAME_SURFACE);
  auto block = [&](u32 b) { return blocks + b * BLOCK_BYTES; };
  auto kind = [&](u32 b) { return word(block(b) + BLOCK_KIND); };
  std::vector<double> times;
  for (int round = 0; round < rounds; round++) {
    auto start = std::chrono::steady_clock::now();
    for (u32 b = 0; b < vertexBlocks; b++) skin(block(b));
    for (u32 b = volumeBlocks; b < allBlocks; b++) measureApex(block(b), y);
    for (u32 b = 0; b < volumeBlocks; b++) {
      if (kind(b) <= BORDER) evaluate(block(b), kind(b) == INNER);
      else if (kind(b) == PAIRS) measurePairs(block(b), y);
      else measureApexPairs(block(b), y);
    }
    for (u32 b = 0; b < vertexBlocks; b++) displace(block(b), true);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  file = fopen(argv[8], "wb");
  fwrite(memory + word(frame + FRAME_OUT_POSITIONS), 1, atoll(argv[9]), file);
  fclose(file);
  std::sort(times.begin(), times.end());
  printf("%.6f %.6f\n", times[times.size() / 2], times[times.size() / 10]);
}
