/** As much of JSON Schema as the documented ones use; the paths that do not fit. */
import type { Loose } from '../model-builder.js';

export function matchSchema(schema: Loose, value: Loose, root: Loose = schema, path = ''): string[] {
  if (schema.$ref) return matchSchema(root.$defs[schema.$ref.split('/').at(-1)], value, root, path);
  if ('const' in schema) return value === schema.const ? [] : [path];
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [path];
    const { minItems = 0, maxItems = Infinity } = schema;
    if (value.length < minItems || value.length > maxItems) return [`${path}.length`];
    return value.flatMap((item, i) => matchSchema(schema.items, item, root, `${path}[${i}]`));
  }
  if (schema.type === 'object') {
    if (typeof value !== 'object' || value === null) return [path];
    const unknown = Object.keys(value).filter((key) => !(key in schema.properties));
    const missing = (schema.required as string[]).filter((key) => !(key in value));
    const inside = Object.keys(value).filter((key) => key in schema.properties);
    return [
      ...[...unknown, ...missing].map((key) => `${path}.${key}`),
      ...inside.flatMap((key) => matchSchema(schema.properties[key], value[key], root, `${path}.${key}`)),
    ];
  }
  if (schema.type === 'string') return typeof value === 'string' ? [] : [path];
  const isRight = schema.type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  return isRight && value >= (schema.minimum ?? -Infinity) ? [] : [path];
}
