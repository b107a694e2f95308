import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Validates checkpointers with the library's own suite, which expects vitest's globals and vitest's own loader. */
const CHECKPOINTERS = 'test/contract/checkpointers/**/*.test.ts';

/**
 * The slowest files start first, as measured in a run on two busy cores: started last, one of them would keep a single worker busy
 * at the end. All others start in vitest's own order.
 */
const LONGEST = [
  'test/integration/desk-api/company-files.test.ts',
  'test/e2e/web-chat.test.ts',
  'test/integration/company/faults.test.ts',
  'test/e2e/web-desk-shift.test.ts',
  'test/e2e/servers.test.ts',
  'test/e2e/eval-suites.test.ts',
  'test/e2e/web-desk.test.ts',
  'test/unit/nlu/accuracy.test.ts',
  'test/skills/cultpass-seeded.test.ts',
  'test/e2e/postgres.test.ts',
  'test/integration/company/declared-company.test.ts',
  'test/integration/operations/turn-cost.test.ts',
  'test/integration/operations/privacy-postgres.test.ts',
  'test/integration/rag/quality.test.ts',
  'test/e2e/web-desk-company.test.ts',
  'test/e2e/web-desk-states.test.ts',
  'test/integration/rag/chroma-damage.test.ts',
  'test/architecture/imports.test.ts',
  'test/integration/safety/claims.test.ts',
  'test/e2e/web-states.test.ts',
  'test/e2e/distributed-triage.test.ts',
  'test/integration/safety/kill.test.ts',
  'test/contract/background.test.ts',
  'test/e2e/server.test.ts',
  'test/integration/conversations/repair.test.ts',
  'test/integration/safety/approval.test.ts',
  'test/integration/conversations/meant.test.ts',
  'test/e2e/fresh-start.test.ts',
  'test/integration/conversations-durable/kill.test.ts',
  'test/integration/conversations/conversations.test.ts',
  'test/e2e/studio.test.ts',
  'test/integration/http/malformed.test.ts',
  'test/e2e/web-desk-room.test.ts',
  'test/integration/rag/indexing.test.ts',
  'test/integration/company/shop.test.ts',
  'test/integration/conversations/questions.test.ts',
  'test/e2e/web-embed.test.ts',
  'test/integration/company/ferry.test.ts',
  'test/integration/conversations/own-record.test.ts',
  'test/integration/company/reload.test.ts',
  'test/e2e/cli-triage.test.ts',
  'test/integration/conversations/care.test.ts',
  'test/integration/desk-api/search.test.ts',
  'test/integration/conversations/leaning-orders.test.ts',
  'test/unit/graph/claims.test.ts',
  'test/integration/conversations/follow-ups.test.ts',
  'test/e2e/cli-chat.test.ts',
  'test/integration/online/faults.test.ts',
  'test/integration/company/changed-articles.test.ts',
  'test/integration/safety/parallel.test.ts',
  'test/integration/company/days.test.ts',
  'test/integration/company/spoken-language.test.ts',
  'test/integration/operations/checkpoint-growth.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    // Processes, not threads: better-sqlite3 is a native module, and tests start and stop servers.
    pool: 'forks',
    // One more than the two cores that the suite is made for: a fifth of the time of two workers they waited for browsers,
    // and for processes that are killed, started again and timed out.
    maxWorkers: 3,
    // Most of what a turn makes is dropped soon: with room for more of it, less is looked through and moved; three times the
    // room of before spared a twelfth of the time in short runs of the evaluation. Most code of a test runs a few times: it is
    // made fast later than usual, which spared a sixth.
    execArgv: ['--max-semi-space-size=192', '--min-semi-space-size=192', '--interrupt-budget=600000'],
    globalSetup: 'test/support/memory-folder.ts',
    sequence: { sequencer: LongestFirst },
    // Nets for what hangs, not bars: at a load of twenty everything takes ten times as long and must still pass.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
    // A developer's .env must not decide what the tests see; processes they start inherit this.
    env: { HUB_ENV_FILE: 'none' },
    projects: [
      {
        extends: true,
        test: {
          name: 'hub',
          // Files of one worker share what they import: loading LangChain for each of them cost minutes.
          isolate: false,
          include: ['test/**/*.test.ts'],
          // Live tests need a key: npm run test:live.
          exclude: [...configDefaults.exclude, 'test/live/**', CHECKPOINTERS],
        },
      },
      {
        extends: true,
        test: {
          name: 'checkpointers',
          include: [CHECKPOINTERS],
          globals: true,
          server: { deps: { inline: [/checkpoint-validation/] } },
        },
      },
    ],
  },
});
