/** A named animation: channels over nodes, sampled exactly as glTF prescribes. */
export interface Clip {
  readonly name: string;
  /** Seconds: the largest key time of all channels. */
  readonly duration: number;
  readonly channels: readonly Channel[];
}

export type ChannelPath = 'translation' | 'rotation' | 'scale' | 'weights';
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

/** One animated property of one node, or the weights of a mesh, as a glTF sampler has it. */
export interface Channel {
  /** Node of the skeleton; for `weights`, the first morph target that the channel drives. */
  readonly target: number;
  readonly path: ChannelPath;
  readonly interpolation: Interpolation;
  /** Key times in seconds, ascending. */
  readonly times: Float32Array | Float64Array;
  /** width numbers per key (CUBICSPLINE: in-tangent, value, out-tangent), width = 3, 4 or the number of weights. */
  readonly values: Float32Array | Float64Array;
  readonly width: number;
}
