import { describe, expect, it } from 'vitest';
import { planGlob } from '../../src/storage/match-glob.js';

const matches = (pattern: string, key: string) => planGlob(pattern).matches(key);

describe('planGlob', () => {
  it('finds the folder that has to be listed', () => {
    expect(planGlob('/assets/**/*.glb')).toMatchObject({ base: '/assets', prefix: '' });
    expect(planGlob('/assets/hero*.glb')).toMatchObject({ base: '/assets', prefix: 'hero' });
    expect(planGlob('/assets/fox.glb')).toMatchObject({ base: '/assets', prefix: 'fox.glb' });
    expect(planGlob('/fox.glb').base).toBe('/');
    expect(planGlob('s3://bucket/a/**/*.glb')).toMatchObject({ base: 's3://bucket/a', prefix: '' });
    expect(planGlob('s3://bucket/*.glb').base).toBe('s3://bucket');
    expect(planGlob('/assets/../other/*.glb').base).toBe('/other');
  });

  it('matches as a shell does', () => {
    expect(matches('/a/*.glb', 'fox.glb')).toBe(true);
    expect(matches('/a/*.glb', 'sub/fox.glb')).toBe(false);
    expect(matches('/a/**/*.glb', 'fox.glb')).toBe(true);
    expect(matches('/a/**/*.glb', 'x/y/fox.glb')).toBe(true);
    expect(matches('/a/**/*.glb', 'x/y/fox.gltf')).toBe(false);
    expect(matches('/a/**', 'x/y')).toBe(true);
    expect(matches('/a/', 'x/y.glb')).toBe(true);
    expect(matches('/a/{fox,cat}-?.glb', 'cat-1.glb')).toBe(true);
    expect(matches('/a/{fox,cat}-?.glb', 'cow-1.glb')).toBe(false);
    expect(matches('/a/{fox,cat}-?.glb', 'cat-/.glb')).toBe(false);
    expect(matches('/a/b.c+(1).glb', 'b.c+(1).glb')).toBe(true);
    expect(matches('/a/b.c.glb', 'bxc.glb')).toBe(false);
    expect(matches('/a/x,y*.glb', 'x,y1.glb')).toBe(true);
  });

  it('refuses what cannot be a pattern', () => {
    expect(() => planGlob('/a/{fox.glb')).toThrow(/brace/);
    expect(() => planGlob('/a/}fox{.glb')).toThrow(/brace/);
    expect(() => planGlob('s3://bucket')).toThrow(/matches no files/);
    expect(() => planGlob('s3://bucket/*/../../other.glb')).toThrow(/matches no files/);
    expect(() => planGlob('/')).not.toThrow();
  });
});
