import { defineConfig } from 'vitest/config';

/** Tests against a real provider: they need OPENAI_API_KEY or OPENAI_BASE_URL, and cost a few cents. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['test/live/**/*.test.ts'],
  },
});
