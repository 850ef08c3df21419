/** Compute pipelines by their source, made once per device however many characters use them. */
const pipelinesOf = new WeakMap<GPUDevice, Map<string, GPUComputePipeline>>();

export function createPipeline(device: GPUDevice, label: string, code: string): GPUComputePipeline {
  let pipelines = pipelinesOf.get(device);
  if (!pipelines) {
    pipelines = new Map();
    pipelinesOf.set(device, pipelines);
  }
  let pipeline = pipelines.get(code);
  if (!pipeline) {
    const module = device.createShaderModule({ label, code });
    pipeline = device.createComputePipeline({ label, layout: 'auto', compute: { module, entryPoint: 'main' } });
    pipelines.set(code, pipeline);
  }
  return pipeline;
}
