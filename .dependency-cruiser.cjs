/**
 * Who may import whom. The house is built in layers (design.md): what is below knows nothing of what is above, so
 * that each part can be read, tested and replaced by itself. `npm test` runs this; every message says what to do.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */

const OURS = '^(src|agents|tools|data|scripts)/';

/** Files in `from` may import of ours only what matches one of `allowed` (and each other). */
const layer = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: OURS, pathNot: [from, ...allowed] },
});

/** A package is for the files in `home` only. */
const keep = (name, packages, home, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: OURS, pathNot: home },
  to: { path: `node_modules/(${packages})(/|$)` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'These files import each other in a circle, so none can be understood or tested alone. Move what both need into a third file that imports neither.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment:
        'This import leads nowhere. Relative imports end in .js (NodeNext), packages must be in package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    layer(
      'core-imports-nothing',
      '^src/core/',
      [],
      'The core is the vocabulary everybody shares; it imports nothing of ours. Describe what you need as a port in src/core/ports and let an adapter implement it.',
    ),
    {
      name: 'core-needs-no-package',
      comment:
        'The core is types and pure functions: it runs no package but zod and yaml (`import type` is free), so that it works anywhere and in a unit test at once.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(@types|zod|yaml)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    layer(
      'low-layers-import-core',
      '^src/(skills|rag|nlu|triage-batch)/',
      ['^src/core/'],
      'skills, rag, nlu and triage-batch import only the core. What else they need comes as an argument of a port type; src/app.ts hands it over.',
    ),
    {
      name: 'low-layers-stay-apart',
      comment:
        'skills, rag, nlu and triage-batch do not know each other. Ask for the other one by a port in src/core/ports; src/app.ts connects them.',
      severity: 'error',
      from: { path: '^src/(skills|rag|nlu|triage-batch)/' },
      to: { path: '^src/(skills|rag|nlu|triage-batch)/', pathNot: '^src/$1/' },
    },
    layer(
      'data-imports-core',
      '^data/',
      ['^src/core/'],
      'data/ holds schemas and stores: it implements ports of the core and imports nothing else of ours.',
    ),
    layer(
      'adapters-import-core',
      '^src/adapters/',
      ['^src/core/', '^src/config\\.ts$'],
      'An adapter connects one port of the core with one library. It takes configuration and other parts as arguments; src/app.ts wires them.',
    ),
    {
      name: 'adapters-name-config-only',
      comment:
        'An adapter may name the types of src/config.ts (`import type`), but its settings come as an argument: nothing is read on import.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    layer(
      'tools-import-core',
      '^tools/',
      ['^src/core/'],
      'A tool reaches data and services through the ports in its deps, so that the same tool runs under an agent, over MCP and in a test.',
    ),
    layer(
      'agents-import-core-and-tools',
      '^agents/',
      ['^src/core/', '^tools/', '^src/nlu/'],
      'An agent is a prompt, a model role and tools: it imports core and tools. Data and adapters reach it through src/app.ts.',
    ),
    {
      name: 'nlu-only-in-offline-policies',
      comment:
        'Only the rule policy of an agent (agents/*/offline.ts and offline-*.ts beside it) reads language by itself; with a model provider the model does. Move this there.',
      severity: 'error',
      from: {
        path: '^agents/',
        pathNot: ['^agents/offline[a-z-]*\\.ts$', '^agents/[^/]+/offline[a-z-]*\\.ts$'],
      },
      to: { path: '^src/nlu/' },
    },
    layer(
      'capabilities-import-core-tools-and-agents',
      '^src/capabilities/',
      ['^src/core/', '^agents/', '^tools/'],
      'src/capabilities runs tools and skills for other software behind the gates of the chat. It imports core, tools and agents; stores and services come as arguments from src/app-capabilities.ts.',
    ),
    layer(
      'graph-imports-core-and-agents',
      '^src/graph/',
      ['^src/core/', '^agents/', '^tools/'],
      'The graph wires agents. It imports core and agents (and the types of tools); everything else is handed to it by src/app.ts.',
    ),
    {
      name: 'graph-runs-no-tool-itself',
      comment:
        "The graph may name types of tools/, but running a tool is an agent's work: use `import type`, or give the agent what it needs.",
      severity: 'error',
      from: { path: '^src/graph/' },
      to: { path: '^tools/', dependencyTypesNot: ['type-only'] },
    },
    layer(
      'config-imports-core',
      '^src/config[a-z-]*\\.ts$',
      ['^src/core/'],
      'The configuration is a pure function of the environment; it imports the core only.',
    ),
    layer(
      'surfaces-call-the-app',
      '^src/surfaces/',
      [
        '^src/core/',
        '^src/app(?:-skill-packs|-privacy|-tokens)?\\.ts$',
        '^src/config\\.ts$',
        '^src/triage-batch/',
      ],
      'A surface translates between the outside and the App interface (src/core/app.ts). If it needs more, the App lacks a method.',
    ),
    layer(
      'web-stands-alone',
      '^src/surfaces/web/',
      ['^src/core/'],
      'The pages run in a browser: they reach the hub by its HTTP API alone, and what they share stands in src/surfaces/web/shared.',
    ),
    {
      name: 'web-names-core-only',
      comment:
        'The pages may name types of src/core (`import type`), but its code stays on the server: a bundle must not grow with it.',
      severity: 'error',
      from: { path: '^src/surfaces/web/' },
      to: { path: '^src/core/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-are-built-not-imported',
      comment:
        'Nothing on the server imports a page: src/surfaces/web-build.ts has them built, and the files of dist/web are served.',
      severity: 'error',
      from: { path: OURS, pathNot: '^src/surfaces/web/' },
      to: { path: '^src/surfaces/web/' },
    },
    layer(
      'scripts-parse-and-call',
      '^scripts/',
      [
        '^src/core/',
        '^src/app\\.ts$',
        '^src/config\\.ts$',
        '^src/surfaces/',
        '^src/triage-batch/',
        '^scripts/',
        '^src/nlu/',
      ],
      'A script parses arguments and makes one call of the App. Logic belongs into src/, where tests reach it without a process. (scripts/train-nlu.ts and scripts/distil-nlu-vectors.ts may use src/nlu: it makes its model.)',
    ),
    {
      name: 'only-training-reads-nlu',
      comment:
        'Only scripts/train-nlu.ts and scripts/distil-nlu-vectors.ts may import src/nlu; every other script goes through src/app.ts.',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '^scripts/(?:train-nlu|distil-nlu-vectors)' },
      to: { path: '^src/nlu/' },
    },
    layer(
      'studio-shows-the-app',
      '^src/studio\\.ts$',
      ['^src/core/', '^src/app\\.ts$', '^src/config\\.ts$'],
      'studio.ts exports what src/app.ts builds, and nothing of its own.',
    ),
    {
      name: 'nobody-imports-the-top',
      comment:
        'app.ts is the top of the house: only surfaces, scripts and studio.ts import it. Take what you need as an argument instead.',
      severity: 'error',
      from: {
        path: OURS,
        pathNot: ['^src/surfaces/', '^scripts/', '^src/studio\\.ts$', '^src/app[a-z-]*\\.ts$', '^src/app/'],
      },
      to: { path: ['^src/app\\.ts$', '^src/surfaces/', '^scripts/', '^src/studio\\.ts$'] },
    },
    {
      name: 'production-imports-no-test',
      comment:
        'Code that ships does not import test/. Move what both use into src/, or build it in the test.',
      severity: 'error',
      from: { path: OURS },
      to: { path: '^test/' },
    },
    keep(
      'databases-in-data',
      'better-sqlite3|drizzle-orm',
      ['^data/', '^src/adapters/'],
      'SQL lives in data/ and src/adapters/. Use a store port (src/core/ports) instead; that keeps Postgres possible.',
    ),
    keep(
      'providers-in-adapters',
      'chromadb|@langchain/openai|@langchain/community|openai',
      ['^src/adapters/'],
      'Chroma and the model provider are known to src/adapters/ only. Use ArticleIndex, Embedder or ChatModels from src/core/ports.',
    ),
    keep(
      'supervisor-in-graph',
      '@langchain/langgraph-supervisor',
      ['^src/graph/'],
      'The supervisor is wired in src/graph/ only, so that its quirks (see findings.md) are mended in one place.',
    ),
    keep(
      'sources-in-adapters',
      'pg|@clickhouse',
      ['^src/adapters/'],
      'Clients of databases and services are adapters of the DataSource port (src/core/ports/data-source.ts). Skills name a source and never see its client.',
    ),
    keep(
      'expressions-in-skills',
      '@marcbachmann/cel-js|ajv|ajv-formats|mustache',
      ['^src/skills/'],
      'Conditions, JSON Schemas and prompt templates of packs are read by src/skills alone; the rest of the hub uses zod and its own texts.',
    ),
    keep(
      'browser-packages-in-web',
      'preact|chart\\.js|mdast-util-from-markdown',
      ['^src/surfaces/web/'],
      'What draws pages belongs to src/surfaces/web. The server hands out data, and the pages show it.',
    ),
    keep(
      'mcp-in-its-surface',
      '@modelcontextprotocol',
      ['^src/surfaces/mcp/'],
      'The MCP SDK is known to src/surfaces/mcp only; what it serves is the Capabilities of the App.',
    ),
    keep(
      'a2a-in-surface-and-adapter',
      '@a2a-js',
      ['^src/surfaces/a2a/', '^src/adapters/a2a/'],
      'The A2A SDK is known to src/surfaces/a2a (the hub as agent) and src/adapters/a2a (other agents) only.',
    ),
    keep(
      'command-line-in-scripts',
      'commander|@clack/prompts',
      ['^scripts/', '^src/surfaces/'],
      'Command lines are a surface: parse them in scripts/ or src/surfaces/ and call the App.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports that exist only for types count as well: a layer that names another one knows it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
