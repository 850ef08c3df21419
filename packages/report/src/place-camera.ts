/** Where a picture is taken from. Degrees; +y is up and the front of a glTF character looks along +z. */
export interface CameraOptions {
  /** Way round the body: 0 from the front (+z), 90 from +x. Default 30. */
  readonly azimuth?: number;
  /** Above the horizon. Default 12. */
  readonly elevation?: number;
  /** Instead of the two angles: the way the camera looks. */
  readonly direction?: readonly [number, number, number];
  /** Vertical angle of view; 0 for an orthographic picture. Default 22. */
  readonly fieldOfView?: number;
  /** What to frame, min x, y, z, max x, y, z. Default: everything in the picture, tightly. Give it to keep frames still. */
  readonly box?: readonly number[];
  /** Empty border as a share of the half width or height. Default 0.08. */
  readonly margin?: number;
}

/**
 * Axes and frame of a view: view = (right·p, up·p, back·p), back pointing to the eye.
 *
 * Perspective: x_screen = (view_x − centreX) / ((distance − view_z)·tanX), −1 … 1 across the picture, same for y.
 * Orthographic: distance = ∞ and x_screen = (view_x − centreX) / tanX.
 */
export interface Camera {
  /** Rows right, up, back: 3×3. */
  readonly axes: Float64Array;
  readonly centreX: number;
  readonly centreY: number;
  readonly distance: number;
  readonly tanX: number;
  readonly tanY: number;
}

/** Frames a list of points (#×3) as large as the margin allows: exact, also in perspective. */
export function placeCamera(options: CameraOptions, points: ArrayLike<number>, width: number, height: number): Camera {
  const axes = createAxes(options);
  const shrink = 1 - (options.margin ?? 0.08);
  const aspect = width / height;
  const fieldOfView = options.fieldOfView ?? 22;
  const perspective = fieldOfView > 0;
  const tanY = Math.tan((fieldOfView * Math.PI) / 360);
  const slopeY = tanY * shrink;
  const slopeX = slopeY * aspect;

  // A point is inside on the right if view_x − centreX ≤ (distance − view_z)·slope, so only the largest
  // view_x + view_z·slope matters; the other three sides are the same.
  let right = Number.NEGATIVE_INFINITY;
  let left = right;
  let top = right;
  let bottom = right;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = axes[0]! * points[i]! + axes[1]! * points[i + 1]! + axes[2]! * points[i + 2]!;
    const y = axes[3]! * points[i]! + axes[4]! * points[i + 1]! + axes[5]! * points[i + 2]!;
    const z = axes[6]! * points[i]! + axes[7]! * points[i + 1]! + axes[8]! * points[i + 2]!;
    if (x + z * slopeX > right) right = x + z * slopeX;
    if (z * slopeX - x > left) left = z * slopeX - x;
    if (y + z * slopeY > top) top = y + z * slopeY;
    if (z * slopeY - y > bottom) bottom = z * slopeY - y;
  }
  if (!(right > Number.NEGATIVE_INFINITY)) right = left = top = bottom = 1;
  const centreX = (right - left) / 2;
  const centreY = (top - bottom) / 2;
  const halfWidth = Math.max((right + left) / 2, 0);
  const halfHeight = Math.max((top + bottom) / 2, 0);
  if (!perspective) {
    const half = Math.max(halfHeight, halfWidth / aspect, 1e-30) / shrink;
    const distance = Number.POSITIVE_INFINITY;
    return { axes, centreX, centreY, distance, tanX: half * aspect, tanY: half };
  }
  const distance = Math.max(halfWidth / slopeX, halfHeight / slopeY, 1e-30);
  return { axes, centreX, centreY, distance, tanX: tanY * aspect, tanY };
}

/** The eight corners of a box (min x, y, z, max x, y, z), #8×3. */
export function listBoxCorners(box: readonly number[]): Float64Array {
  const corners = new Float64Array(24);
  for (let c = 0; c < 8; c++) {
    for (let a = 0; a < 3; a++) corners[3 * c + a] = box[a + ((c >> a) & 1 ? 3 : 0)]!;
  }
  return corners;
}

function createAxes(options: CameraOptions): Float64Array {
  let [x, y, z] = options.direction ?? [0, 0, 0];
  const length = Math.hypot(x, y, z);
  if (length > 0) {
    x /= -length;
    y /= -length;
    z /= -length;
  } else {
    const azimuth = ((options.azimuth ?? 30) * Math.PI) / 180;
    const elevation = ((options.elevation ?? 12) * Math.PI) / 180;
    x = Math.cos(elevation) * Math.sin(azimuth);
    y = Math.sin(elevation);
    z = Math.cos(elevation) * Math.cos(azimuth);
  }
  // right = up × back; straight from above or below +y gives no direction, and −z becomes the top of the picture.
  const flat = Math.hypot(x, z);
  const rightX = flat > 1e-9 ? z / flat : 1;
  const rightZ = flat > 1e-9 ? -x / flat : 0;
  return Float64Array.of(rightX, 0, rightZ, y * rightZ, z * rightX - x * rightZ, -y * rightX, x, y, z);
}
