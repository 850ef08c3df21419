/** The tools in the wrinkles layer of a stack. */
import type { StackSpec, WrinkleTool } from '@isoskin/core';

export function listWrinkles(stack: StackSpec): readonly WrinkleTool[] {
  return stack.wrinkles?.tools ?? [];
}

/** Tools behind those that are there; the layer is switched on. */
export function addWrinkles(stack: StackSpec, tools: readonly WrinkleTool[]): StackSpec {
  const { enabled: _, ...layer } = stack.wrinkles ?? {};
  return { ...stack, wrinkles: { ...layer, tools: [...listWrinkles(stack), ...tools] } };
}

/** What becomes of a tool; undefined takes an option out. */
export type WrinkleChange = { readonly [Key in keyof WrinkleTool]?: WrinkleTool[Key] | undefined };

export function changeWrinkle(stack: StackSpec, index: number, change: WrinkleChange): StackSpec {
  const edit = (tool: WrinkleTool) =>
    Object.fromEntries(
      Object.entries({ ...tool, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as WrinkleTool;
  return write(
    stack,
    listWrinkles(stack).map((tool, n) => (n === index ? edit(tool) : tool)),
  );
}

export function removeWrinkle(stack: StackSpec, index: number): StackSpec {
  return write(
    stack,
    listWrinkles(stack).filter((_, n) => n !== index),
  );
}

function write(stack: StackSpec, tools: readonly WrinkleTool[]): StackSpec {
  return { ...stack, wrinkles: { ...stack.wrinkles, tools } };
}
