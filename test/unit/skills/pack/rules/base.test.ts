import { describe, expect, it } from 'vitest';
import { COMMAND, COMPOSITE, FUNCTION, faultsOf, GENERATION, HTTP, REVIEW, TREE } from './pack-files.js';

describe('[SKD-01] packs of every kind', () => {
  it.each(Object.entries({ TREE, COMPOSITE, GENERATION, REVIEW, FUNCTION, COMMAND, HTTP }))(
    '[SKD-01] %s is found whole, with YAML and JSON alone',
    (_, files) => {
      expect(faultsOf(files)).toEqual([]);
    },
  );
});
