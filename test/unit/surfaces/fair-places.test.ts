import { expect, it } from 'vitest';
import { FairPlaces } from '../../../src/surfaces/a2a/fair-places.js';

/** Work that ends when it is told to. */
function work(begun: string[], name: string) {
  let end: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    begun.push(name);
    await done;
    return name;
  };
  return { run, end: () => end() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('[A2T-30] keeps places free for others, and gives each one back', async () => {
  const places = new FairPlaces(3, 2);
  const begun: string[] = [];
  const works = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => ({ name, ...work(begun, name) }));
  const ends = works.map(({ name, run }) => places.within(name.charAt(0), run));
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  works[0]?.end();
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  works[3]?.end();
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'c1']);
  for (const { end } of works) end();
  expect(await Promise.all(ends)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
});

it('[A2T-30] gives a place back after a failure, too', async () => {
  const places = new FairPlaces(1, 1);
  const failing = places.within('a', async () => {
    throw new Error('no');
  });
  const next = places.within('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
