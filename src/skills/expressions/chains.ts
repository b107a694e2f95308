/** A dotted name in an expression: `result.status`, `steps.find.rows`. */
export interface Chain {
  readonly path: readonly string[];
  /** True inside `has(...)`, which asks whether the name is there at all. */
  readonly tested: boolean;
}

interface Node {
  readonly op: string;
  readonly args: unknown;
}

/** Every name an expression looks at, the variables of its own macros left out. */
export function chainsOf(ast: unknown): readonly Chain[] {
  const found: Chain[] = [];
  visit(ast, new Set(), false, found);
  return found;
}

const MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function visit(node: unknown, local: ReadonlySet<string>, tested: boolean, found: Chain[]): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, local, tested, found);
    return;
  }
  if (!isNode(node)) return;
  const path = pathOf(node);
  if (path) {
    if (!local.has(path[0] ?? '')) found.push({ path, tested });
    return;
  }
  if (node.op === 'call' && Array.isArray(node.args)) {
    visit(node.args[1], local, tested || node.args[0] === 'has', found);
    return;
  }
  if (node.op === 'rcall' && Array.isArray(node.args)) {
    const [name, receiver, given] = node.args as [string, unknown, unknown[]];
    visit(receiver, local, tested, found);
    const variable =
      MACROS.has(name) && isNode(given[0]) && given[0].op === 'id' ? String(given[0].args) : null;
    visit(
      variable === null ? given : given.slice(1),
      variable === null ? local : new Set([...local, variable]),
      tested,
      found,
    );
    return;
  }
  visit(node.args, local, tested, found);
}

/** `a.b.c` as its parts, null for anything else. */
function pathOf(node: Node): readonly string[] | null {
  if (node.op === 'id') return [String(node.args)];
  if (node.op !== '.' || !Array.isArray(node.args)) return null;
  const [owner, name] = node.args as [unknown, string];
  const start = isNode(owner) ? pathOf(owner) : null;
  return start && [...start, name];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
