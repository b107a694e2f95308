/**
 * Who may import whom. The house is built in layers (design.md): what is below knows nothing of what is above, so
 * that each part can be read, tested and replaced by itself. `npm test` runs this; every message says what to do.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */

const OURS = '^(src|agents|tools|companies|data|scripts)/';

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
      'companies-import-the-seam',
      '^companies/',
      ['^src/core/', '^src/company/company-code\\.ts$', '^src/runtime/', '^data/[^/]+\\.ts$'],
      'A company is described by its files and by the code that src/company/company-code.ts declares: it imports core, that file, runtime and the helpers of data/ for its own database, nothing else of the engine.',
    ),
    {
      name: 'nobody-imports-a-company',
      comment:
        'The engine knows no company. src/company/company-code.ts loads the one that HUB_COMPANY names, by its path; ask for what you need through that seam.',
      severity: 'error',
      from: { path: OURS, pathNot: '^companies/' },
      to: { path: '^companies/' },
    },
    {
      name: 'companies-stay-apart',
      comment:
        'A company is complete by itself and imports nothing of another. Copy what you need, or move it into the engine.',
      severity: 'error',
      from: { path: '^companies/([^/]+)/' },
      to: { path: '^companies/', pathNot: '^companies/$1/' },
    },
    layer(
      'company-imports-core-and-the-seams-types',
      '^src/company/',
      ['^src/core/', '^src/runtime/', '^data/[^/]+\\.ts$'],
      'src/company reads a company and declares its seam: it imports the core, and names the types of tools and of databases in the seam.',
    ),
    {
      name: 'company-names-types-only',
      comment:
        'src/company may name types of src/runtime and data (`import type`) in the seam; what a company works with is handed to it by src/app. (src/company/declared is a company made of YAML: it imports what one in TypeScript does.)',
      severity: 'error',
      from: { path: '^src/company/', pathNot: '^src/company/declared/' },
      to: { path: ['^src/runtime/', '^data/'], dependencyTypesNot: ['type-only'] },
    },
    layer(
      'low-layers-import-core',
      '^src/(skills|rag|nlu|triage-batch|eval)/',
      ['^src/core/'],
      'skills, rag, nlu, triage-batch and eval import only the core. What else they need comes as an argument of a port type; src/app hands it over.',
    ),
    layer(
      'dialogue-imports-core-and-nlu',
      '^src/dialogue/',
      ['^src/core/', '^src/nlu/'],
      'src/dialogue understands a conversation without a model, over the readers of src/nlu. What the company has comes as an argument.',
    ),
    {
      name: 'low-layers-stay-apart',
      comment:
        'company, skills, rag, nlu, triage-batch and eval do not know each other. Ask for the other one by a port in src/core/ports; src/app connects them.',
      severity: 'error',
      from: { path: '^src/(company|skills|rag|nlu|triage-batch|eval)/' },
      to: { path: '^src/(company|skills|rag|nlu|triage-batch|eval)/', pathNot: '^src/$1/' },
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
      ['^src/core/'],
      'An adapter connects one port of the core with one library. It takes configuration and other parts as arguments; src/app/app.ts wires them.',
    ),
    layer(
      'runtime-imports-core',
      '^src/runtime/',
      ['^src/core/'],
      'src/runtime is how an agent and a tool run, and the gate; it knows no agent and no tool by name. The roster comes as an argument.',
    ),
    layer(
      'tools-import-core-and-runtime',
      '^tools/',
      ['^src/core/', '^src/runtime/'],
      'A tool reaches data and services through the ports in its deps, so that the same tool runs under an agent, over MCP and in a test.',
    ),
    layer(
      'agents-import-core-runtime-and-tools',
      '^agents/',
      ['^src/core/', '^src/runtime/', '^tools/', '^src/nlu/', '^src/dialogue/'],
      'An agent is a prompt, a model role and tools: it imports core, runtime and tools. Data and adapters reach it through src/app.',
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
      to: { path: '^src/(?:nlu|company)/' },
    },
    layer(
      'capabilities-import-core-runtime-and-agents',
      '^src/capabilities/',
      ['^src/core/', '^src/runtime/', '^agents/'],
      'src/capabilities runs tools and skills for other software behind the gate of the chat. It imports core, runtime and agents; stores, services and the roster come as arguments from src/app.',
    ),
    layer(
      'graph-imports-core-runtime-and-agents',
      '^src/graph/',
      ['^src/core/', '^src/runtime/', '^src/dialogue/', '^agents/'],
      'The graph wires agents and is LangGraph alone: state, nodes, routing rules, guardrails. Everything else is handed to it by src/app; tools are run by agents.',
    ),
    layer(
      'turns-import-graph',
      '^src/turns/',
      ['^src/core/', '^src/runtime/', '^src/graph/'],
      'src/turns carries a message to the graph and its events back. It imports core, runtime and graph; stores come as arguments from src/app.',
    ),
    layer(
      'desk-imports-graph-and-turns',
      '^src/desk/',
      ['^src/core/', '^src/runtime/', '^src/graph/', '^src/turns/', '^agents/'],
      'src/desk is what operators do with conversations. It imports what is below: core, runtime, agents, graph and turns.',
    ),
    layer(
      'privacy-imports-core',
      '^src/privacy/',
      ['^src/core/'],
      "src/privacy exports and erases one customer's data by the ports of src/core/privacy.ts; src/app/privacy.ts opens what stands behind them.",
    ),
    layer(
      'config-imports-core',
      '^src/config/',
      ['^src/core/'],
      'The configuration is a pure function of the environment; it imports the core only.',
    ),
    layer(
      'surfaces-call-the-app',
      '^src/surfaces/',
      [
        '^src/core/',
        '^src/app/(?:access|app|company|company-check|company-commands|database|eval|skill-packs|privacy)\\.ts$',
        '^src/config/config\\.ts$',
        '^src/(?:triage-batch|eval)/',
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
      ['^src/core/', '^src/app/(?:app|training)\\.ts$', '^src/surfaces/'],
      'A script parses arguments and makes one call of the App (src/surfaces/command.ts reads the configuration). Logic belongs into src/, where tests reach it without a process.',
    ),
    layer(
      'studio-shows-the-app',
      '^src/app/studio\\.ts$',
      ['^src/core/', '^src/app/app\\.ts$', '^src/config/config\\.ts$'],
      'studio.ts exports what src/app/app.ts builds, and nothing of its own.',
    ),
    {
      name: 'nothing-imports-the-top',
      comment:
        'src/app is the top of the house: only surfaces and scripts import it. Take what you need as an argument instead.',
      severity: 'error',
      from: { path: OURS, pathNot: ['^src/surfaces/', '^scripts/', '^src/app/'] },
      to: { path: ['^src/app/', '^src/surfaces/', '^scripts/'] },
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
      ['^data/', '^companies/[^/]+/data/', '^src/adapters/', '^src/privacy/'],
      'SQL lives in data/ and src/adapters/ (and where src/privacy rewrites the files). Use a store port (src/core/ports) instead; that keeps Postgres possible.',
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
      ['^src/adapters/', '^data/postgres/'],
      'Clients of databases and services are adapters of the DataSource port (src/core/ports/data-source.ts), and of the hub’s own data in data/postgres. Skills name a source and never see its client.',
    ),
    keep(
      'expressions-in-skills',
      '@marcbachmann/cel-js|ajv|ajv-formats|mustache',
      ['^src/skills/'],
      'Conditions, JSON Schemas and prompt templates of packs are read by src/skills alone; the rest of the hub uses zod and its own texts.',
    ),
    keep(
      'browser-packages-in-web',
      'preact|@tanstack|chart\\.js|mdast-util-from-markdown',
      ['^src/surfaces/web/'],
      'What draws pages belongs to src/surfaces/web. The server hands out data, and the pages show it.',
    ),
    keep(
      'mcp-in-surface-and-source',
      '@modelcontextprotocol',
      ['^src/surfaces/mcp/', '^src/adapters/sources/mcp-source\\.ts$'],
      'The MCP SDK is known to src/surfaces/mcp (the hub as server) and src/adapters/sources/mcp-source.ts (a company’s server) only.',
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
