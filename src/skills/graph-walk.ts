/** What leads on from a node. */
type Next<Node> = (node: Node) => Iterable<Node>;

/** All that can be reached from a node by at least one step; the node itself only where a circle leads back to it. */
export function reachedFrom<Node>(start: Node, next: Next<Node>): ReadonlySet<Node> {
  const reached = new Set(next(start));
  for (const node of reached) for (const one of next(node)) reached.add(one);
  return reached;
}

/** The shortest way from a node back to itself, beginning with it; null where there is none. */
export function circleFrom<Node>(start: Node, next: Next<Node>): readonly Node[] | null {
  const cameFrom = new Map<Node, Node | null>([[start, null]]);
  for (const [at] of cameFrom) {
    for (const one of next(at)) {
      if (one === start) return wayTo(at, cameFrom);
      if (!cameFrom.has(one)) cameFrom.set(one, at);
    }
  }
  return null;
}

function wayTo<Node>(end: Node, cameFrom: ReadonlyMap<Node, Node | null>): readonly Node[] {
  const way: Node[] = [];
  for (let node: Node | null = end; node !== null; node = cameFrom.get(node) ?? null) way.unshift(node);
  return way;
}
