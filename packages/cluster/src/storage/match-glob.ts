import { resolve } from 'node:path';
import { IsoskinError } from '@isoskin/core';

/** A glob taken apart: the place that holds everything it can match, and what matches inside. */
export interface Glob {
  /** Folder or `s3://bucket/folder`. */
  readonly base: string;
  /** The part of the pattern before its first wildcard, inside `base`: what has to be listed. */
  readonly prefix: string;
  matches(key: string): boolean;
}

/**
 * `*` and `?` stay within a name, `**` goes through folders, `{a,b}` is either. A pattern without any of them is a file; one
 * that ends in `/` is everything in a folder.
 */
export function planGlob(pattern: string): Glob {
  const isS3 = /^s3:\/\//i.test(pattern);
  const path = isS3 ? pattern : resolve(pattern.endsWith('/') ? `${pattern}**` : pattern).replaceAll('\\', '/');
  const parts = path.split('/');
  const least = isS3 ? 3 : 1; // s3: // bucket
  const wild = parts.findIndex((part, i) => i >= least && /[*?{}]/.test(part));
  const at = wild < 0 ? parts.length - 1 : wild;
  const inside = parts.slice(at).join('/');
  if (at < least || inside === '' || parts.slice(at).includes('..')) {
    throw new IsoskinError('SUBMIT_PATTERN', `"${pattern}" matches no files: write for example "assets/**/*.glb".`);
  }
  const expression = toExpression(inside, pattern);
  return {
    base: parts.slice(0, at).join('/') || '/',
    prefix: /^[^*?{}]*/.exec(inside)![0],
    matches: (key) => expression.test(key),
  };
}

function toExpression(glob: string, pattern: string): RegExp {
  let depth = 0;
  let isBroken = false;
  const source = glob.replace(/(?:\*\*\/)+|\*+|[?{},]|[\\^$.|+()[\]]/g, (token) => {
    if (token.endsWith('/')) return '(?:[^/]+/)*';
    if (token.startsWith('**')) return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token === ',') return depth > 0 ? '|' : ',';
    if (token !== '{' && token !== '}') return `\\${token}`;
    depth += token === '{' ? 1 : -1;
    isBroken ||= depth < 0;
    return token === '{' ? '(?:' : ')';
  });
  if (depth === 0 && !isBroken) return new RegExp(`^${source}$`, 'u');
  throw new IsoskinError('SUBMIT_PATTERN', `"${pattern}" has a brace without the other: write "{hero,cat}.glb".`);
}
