/**
 * The passes of a warm frame, native: a twin of packages/wasm/assembly on the same image of memory, to see what WebAssembly
 * costs. Reads an image, runs the passes, prints the median and the lower tenth of their times in ms, writes the positions.
 *
 *   frame <image> <bytes of the image> <its first address> <blocks: vertices> <volumes> <fields> <all> <rounds> <out> <out bytes>
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

static void skin(u32 block) {
  u32 first = word(block + BLOCK_FIRST), count = word(block + BLOCK_COUNT), matrices = word(frame + FRAME_MATRICES);
  u32 bones = word(frame + FRAME_BONES) + 8 * first, weights = word(frame + FRAME_WEIGHTS) + 16 * first;
  u32 rest = word(frame + FRAME_REST) + 16 * first, out = word(frame + FRAME_SKIN) + 16 * first;
  u32 field = word(frame + FRAME_REST_DIRECTIONS) + 16 * first, outField = word(frame + FRAME_FIELD) + 16 * first;
  for (u32 k = 0; k < count; k++) {
    v4 a = _mm_setzero_ps(), b = a, c = a, t = a;
    for (int i = 0; i < 4; i++) {
      u32 m = matrices + 64 * at<uint16_t>(bones + 8 * k + 2 * i);
      v4 w = splat(weights + 16 * k + 4 * i);
      a = madd(w, load(m), a);
      b = madd(w, load(m + 16), b);
      c = madd(w, load(m + 32), c);
      t = madd(w, load(m + 48), t);
    }
    u32 x = rest + 16 * k, n = field + 16 * k;
    store(out + 16 * k, madd(c, splat(x + 8), madd(b, splat(x + 4), madd(a, splat(x), t))));
    store(outField + 16 * k, madd(c, splat(n + 8), madd(b, splat(n + 4), _mm_mul_ps(a, splat(n)))));
  }
}

static void measureAndSweep(u32 block, bool inner) {
  u32 offset = 16 * word(block + BLOCK_FIRST), end = offset + 16 * word(block + BLOCK_COUNT);
  u32 positions = word(frame + FRAME_SKIN), from = word(frame + FRAME_FIELD), to = word(frame + FRAME_FIELD_1);
  u32 shares = word(frame + FRAME_SHARES), ring = word(block + BLOCK_RINGS);
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  __m128d low = _mm_setzero_pd(), high = low;
  v4 part = _mm_setzero_ps();
  for (u32 k = offset; k < end; k += 16) {
    u32 head = word(ring), i = word(ring + 4), j = word(ring + 8);
    v4 first = load(positions + i), last = load(positions + j), field = load(from + i), lastField = load(from + j);
    v4 area = _mm_setzero_ps();
    ring += 12;
    for (u32 stop = ring + (head & ~7u); ring < stop; ring += 8) {
      u32 b = word(ring), c = word(ring + 4);
      v4 p = load(positions + c);
      area = _mm_add_ps(area, cross(_mm_sub_ps(load(positions + b), first), _mm_sub_ps(p, last)));
      last = p;
      field = _mm_add_ps(field, _mm_add_ps(lastField, load(from + b)));
      lastField = load(from + c);
    }
    u32 padded = head & 1, valence = ((head >> 2) & ~1u) + 2 - padded;
    if (!(head & 2)) {
      v4 others = padded ? field : _mm_add_ps(field, lastField);
      store(to + k, madd(splat(shares + 4 * valence), others, _mm_mul_ps(_mm_set1_ps(0.5f), load(from + k))));
    }
    if (!inner) continue;
    part = madd(_mm_sub_ps(load(positions + k), origin), turn(area), part);
    if ((k & 48) != 48) continue;
    add(low, high, part);
    part = _mm_setzero_ps();
  }
  if (inner) storeVolume(block, low, high);
}

static void sweepOdd(u32 block) {
  u32 record = word(block + BLOCK_RINGS), from = word(frame + FRAME_FIELD), to = word(frame + FRAME_FIELD_1);
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 k = word(record), count = word(record + 4);
    v4 sum = _mm_setzero_ps();
    record += 8;
    for (u32 i = 0; i < count; i++, record += 4) sum = _mm_add_ps(sum, load(from + word(record)));
    v4 share = _mm_set1_ps(count > 0 ? 0.5f / count : 0);
    store(to + k, madd(share, sum, _mm_mul_ps(_mm_set1_ps(0.5f), load(from + k))));
  }
}

static void measureFade(u32 block) {
  u32 activity = word(frame + FRAME_ACTIVITY), fade = word(frame + FRAME_FADE) + 4 * word(block + BLOCK_FIRST);
  u32 halo = word(block + BLOCK_HALO);
  v4 one = _mm_set1_ps(1), home = splat(activity + word(block + BLOCK_HOME));
  for (u32 end = fade + 4 * word(block + BLOCK_COUNT); fade < end; fade += 16) {
    u32 head = word(halo);
    v4 product = head & 1 ? home : one;
    halo += 4;
    for (u32 stop = halo + (head & ~1u); halo < stop; halo += 20) {
      v4 still = _mm_sub_ps(one, splat(activity + at<uint16_t>(halo)));
      product = _mm_mul_ps(product, _mm_sub_ps(one, _mm_mul_ps(still, load(halo + 4))));
    }
    store(fade, product);
  }
}

static void displace(u32 block, bool withFade, bool withOutput) {
  if (withFade) measureFade(block);
  u32 lambda = word(frame + FRAME_LAMBDA), fades = word(frame + FRAME_FADE), tightness = word(frame + FRAME_TIGHTNESS);
  u32 slopes = word(frame + FRAME_SLOPES), positions = word(frame + FRAME_SKIN), field = word(frame + FRAME_FIELD_1);
  u32 surface = word(frame + FRAME_SURFACE), order = word(frame + FRAME_ORDER), out = word(frame + FRAME_OUT_POSITIONS);
  u32 phi = word(block + BLOCK_BASES), k = 4 * word(block + BLOCK_FIRST);
  for (u32 end = k + 4 * word(block + BLOCK_COUNT); k < end; k += 16) {
    v4 sums = _mm_setzero_ps();
    u32 stop = phi + 4 + word(phi);
    for (phi += 4; phi < stop; phi += 20) sums = madd(splat(lambda + at<uint16_t>(phi)), load(phi + 4), sums);
    v4 square = _mm_mul_ps(_mm_mul_ps(sums, sums), load(tightness + k));
    v4 q = madd(square, square, _mm_set1_ps(1));
    v4 root = _mm_div_ps(load(fades + k), _mm_sqrt_ps(_mm_sqrt_ps(q)));
    v4 amounts = _mm_mul_ps(root, sums);
    u32 a = 4 * k;
    v4 y[4] = {madd(LANE(amounts, 0), load(field + a), load(positions + a)),
               madd(LANE(amounts, 1), load(field + a + 16), load(positions + a + 16)),
               madd(LANE(amounts, 2), load(field + a + 32), load(positions + a + 32)),
               madd(LANE(amounts, 3), load(field + a + 48), load(positions + a + 48))};
    if (withOutput) {
      for (u32 i = 0; i < 4; i++) store(out + word(order + k + 4 * i), y[i]);
      continue;
    }
    store(slopes + k, _mm_div_ps(root, q));
    for (u32 i = 0; i < 4; i++) store(surface + a + 16 * i, y[i]);
  }
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

static void evaluate(u32 block, bool inner) {
  alignas(16) static float scratch[4 * BLOCK_SIZE];
  u32 first = word(block + BLOCK_FIRST), count = word(block + BLOCK_COUNT), positions = word(frame + FRAME_SURFACE);
  u32 ring = word(block + BLOCK_RINGS), order = word(frame + FRAME_ORDER) + 4 * first, y = positions + 16 * first;
  u32 outNormals = word(frame + FRAME_OUT_NORMALS);
  v4 *areas = (v4 *)scratch;
  for (u32 k = 0; k < count; k++) {
    u32 bytes = word(ring) & ~7u;
    areas[k] = polygon(ring + 4, bytes, positions);
    ring += 12 + bytes;
  }
  for (u32 k = 0; k < count; k += 4) {
    v4 a = areas[k], b = areas[k + 1], c = areas[k + 2], d = areas[k + 3];
    v4 squares = sum3x4(_mm_mul_ps(a, a), _mm_mul_ps(b, b), _mm_mul_ps(c, c), _mm_mul_ps(d, d));
    v4 scale = _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(_mm_max_ps(squares, _mm_set1_ps(1e-37f))));
    v4 n[4] = {_mm_mul_ps(a, LANE(scale, 0)), _mm_mul_ps(b, LANE(scale, 1)), _mm_mul_ps(c, LANE(scale, 2)),
               _mm_mul_ps(d, LANE(scale, 3))};
    for (u32 i = 0; i < 4; i++) store(outNormals + word(order + 4 * (k + i)), n[i]);
  }
  if (!inner) return;
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  __m128d low = _mm_setzero_pd(), high = low;
  for (u32 k = 0; k < count; k += 4) {
    v4 part = _mm_mul_ps(_mm_sub_ps(load(y + 16 * k), origin), areas[k]);
    for (u32 i = 1; i < 4; i++) part = madd(_mm_sub_ps(load(y + 16 * (k + i)), origin), areas[k + i], part);
    add(low, high, part);
  }
  storeVolume(block, low, high);
  u32 row = clearRow(block), phi = word(block + BLOCK_BASES), n = word(frame + FRAME_FIELD_1) + 16 * first;
  u32 slopes = word(frame + FRAME_SLOPES) + 4 * first;
  for (u32 k = 0; k < count; k += 4) {
    u32 at4 = n + 16 * k;
    v4 slope = _mm_mul_ps(load(slopes + 4 * k), sum3x4(_mm_mul_ps(load(at4), areas[k]),
                                                       _mm_mul_ps(load(at4 + 16), areas[k + 1]),
                                                       _mm_mul_ps(load(at4 + 32), areas[k + 2]),
                                                       _mm_mul_ps(load(at4 + 48), areas[k + 3])));
    u32 stop = phi + 4 + word(phi);
    for (phi += 4; phi < stop; phi += 20) {
      u32 column = row + at<uint16_t>(phi + 2);
      store(column, madd(slope, load(phi + 4), load(column)));
    }
  }
  addRow(block);
}

static void measurePairs(u32 block, u32 positions, bool withSlopes) {
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  v4 homeOrigin = load(positions + word(block + BLOCK_HOME_ANCHOR));
  u32 field = word(frame + FRAME_FIELD_1), slopes = word(frame + FRAME_SLOPES), record = word(block + BLOCK_RINGS);
  u32 row = withSlopes ? clearRow(block) : 0;
  __m128d low = _mm_setzero_pd(), high = low, homeLow = low, homeHigh = low;
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 bytes = word(record), k = word(record + 4);
    v4 area = polygon(record + 12, bytes, positions);
    v4 y = load(positions + k);
    add(low, high, _mm_mul_ps(_mm_sub_ps(y, origin), area));
    add(homeLow, homeHigh, _mm_mul_ps(_mm_sub_ps(y, homeOrigin), area));
    u32 phi = record + 20 + bytes, stop = phi + 8 * word(record + 8);
    record = stop;
    if (!withSlopes) continue;
    float slope = at<float>(slopes + (k >> 2)) * sum3(_mm_mul_ps(load(field + k), area));
    for (; phi < stop; phi += 8) at<float>(row + word(phi)) += slope * at<float>(phi + 4);
  }
  storeVolume(block, low, high);
  storeVolume(block, homeLow, homeHigh, 8);
  if (withSlopes) addRow(block);
}

static void measureApexPairs(u32 block, u32 positions, bool withSlopes) {
  v4 origin = load(positions + word(block + BLOCK_ANCHOR));
  u32 record = word(block + BLOCK_RINGS), row = withSlopes ? clearRow(block) : 0;
  __m128d low = _mm_setzero_pd(), high = low;
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 bytes = word(record);
    v4 area = polygon(record + 16, bytes, positions);
    add(low, high, _mm_mul_ps(_mm_sub_ps(load(positions + word(record + 4)), origin), area));
    u32 column = record + 24 + bytes, stop = column + 4 * word(record + 12), derivative = word(record + 8);
    record = stop;
    if (!withSlopes) continue;
    for (; column < stop; column += 4, derivative += 16)
      at<float>(row + word(column)) += sum3(_mm_mul_ps(load(derivative), area));
  }
  storeVolume(block, low, high);
  if (withSlopes) addRow(block);
}

static void measureApex(u32 block, u32 positions, bool withSlopes) {
  u32 derivatives = word(block + BLOCK_SUMS), field = word(frame + FRAME_FIELD_1), slopes = word(frame + FRAME_SLOPES);
  u32 record = word(block + BLOCK_RINGS);
  double sum[3] = {0, 0, 0};
  if (withSlopes) memset(memory + derivatives, 0, 16 * word(block + BLOCK_COLUMNS));
  for (u32 n = word(block + BLOCK_COUNT); n > 0; n--) {
    u32 k = word(record);
    float weight = at<float>(record + 4);
    for (int r = 0; r < 3; r++) sum[r] += (double)weight * at<float>(positions + k + 4 * r);
    u32 entry = record + 12;
    record = entry + 8 * word(record + 8);
    if (!withSlopes) continue;
    v4 move = _mm_mul_ps(_mm_set1_ps(weight * at<float>(slopes + (k >> 2))), load(field + k));
    for (; entry < record; entry += 8) {
      u32 to = derivatives + word(entry);
      store(to, madd(splat(entry + 4), move, load(to)));
    }
  }
  store(positions + word(block + BLOCK_PLACE), _mm_set_ps(0, sum[2], sum[1], sum[0]));
}

int main(int, char **argv) {
  size_t bytes = atoll(argv[2]), base = atoll(argv[3]);
  u32 vertexBlocks = atoi(argv[4]), volumeBlocks = atoi(argv[5]), fieldBlocks = atoi(argv[6]), allBlocks = atoi(argv[7]);
  int rounds = atoi(argv[8]);
  memory = (char *)aligned_alloc(4096, (base + bytes + 8191) / 4096 * 4096);
  frame = base;
  FILE *file = fopen(argv[1], "rb");
  if (!file || fread(memory + base, 1, bytes, file) != bytes) return 1;
  fclose(file);
  u32 blocks = word(frame + FRAME_BLOCKS), x = word(frame + FRAME_SKIN), y = word(frame + FRAME_SURFACE);
  auto block = [&](u32 b) { return blocks + b * BLOCK_BYTES; };
  auto kind = [&](u32 b) { return word(block(b) + BLOCK_KIND); };
  std::vector<double> times;
  for (int round = 0; round < rounds; round++) {
    auto start = std::chrono::steady_clock::now();
    for (u32 b = 0; b < vertexBlocks; b++) skin(block(b));
    for (u32 b = fieldBlocks; b < allBlocks; b++) measureApex(block(b), x, false);
    for (u32 b = 0; b < fieldBlocks; b++) {
      if (kind(b) <= BORDER) measureAndSweep(block(b), kind(b) == INNER);
      else if (kind(b) == PAIRS) measurePairs(block(b), x, false);
      else if (kind(b) == APEX_PAIRS) measureApexPairs(block(b), x, false);
      else sweepOdd(block(b));
    }
    for (u32 b = 0; b < vertexBlocks; b++) displace(block(b), true, false);
    for (u32 b = fieldBlocks; b < allBlocks; b++) measureApex(block(b), y, true);
    for (u32 b = 0; b < volumeBlocks; b++) {
      if (kind(b) <= BORDER) evaluate(block(b), kind(b) == INNER);
      else if (kind(b) == PAIRS) measurePairs(block(b), y, true);
      else measureApexPairs(block(b), y, true);
    }
    for (u32 b = 0; b < vertexBlocks; b++) displace(block(b), false, true);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  file = fopen(argv[9], "wb");
  fwrite(memory + word(frame + FRAME_OUT_POSITIONS), 1, atoll(argv[10]), file);
  fclose(file);
  std::sort(times.begin(), times.end());
  printf("%.6f %.6f\n", times[times.size() / 2], times[times.size() / 10]);
}
