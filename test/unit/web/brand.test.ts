import { describe, expect, it } from 'vitest';
import { contrastOf, shadesOf } from '../../../src/surfaces/web/shared/brand.js';

const GROUNDS = {
  light: ['#faf5ee', '#ffffff', '#f4ece1', '#efe5d7'],
  dark: ['#17121a', '#211a25', '#2a2130', '#120e15'],
} as const;
const COLOURS = ['#ffd400', '#000000', '#ffffff', '#2a6f97', '#ff00ff', '#7f7f7f', '#00ff00', '#a63a1b'];

describe("a company's colour", () => {
  it.each(COLOURS)('[SHF-27] %s tints the page so that all of it can be read, light and dark', (color) => {
    for (const theme of ['light', 'dark'] as const) {
      const shades = shadesOf(color, theme === 'dark');
      for (const ground of [...GROUNDS[theme], shades['accent-soft']]) {
        expect(contrastOf(shades.accent, ground), `${theme} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastOf(shades['accent-strong'], shades['accent-soft'])).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(shades.accent, shades['on-accent'])).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('[SHF-27] stays what it is where it can be read as it is', () => {
    expect(shadesOf('#1a4d6b', false).accent).toBe('#1a4d6b');
  });
});
