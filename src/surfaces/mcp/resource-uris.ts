export const RESOURCE_KINDS = ['article', 'skill', 'ticket'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** What an address names. */
export interface ResourceName {
  readonly kind: ResourceKind;
  readonly id: string;
}

const ADDRESS = /^(article|skill|ticket):\/\/([^/?#]+)$/;

export function resourceUri({ kind, id }: ResourceName): string {
  return `${kind}://${encodeURIComponent(id)}`;
}

/** Null for what is no address of this server. */
export function parseUri(uri: string): ResourceName | null {
  const [, kind, id] = ADDRESS.exec(uri) ?? [];
  if (kind === undefined || id === undefined) return null;
  try {
    return { kind: kind as ResourceKind, id: decodeURIComponent(id) };
  } catch {
    // A broken percent sign.
    return null;
  }
}

/** The same as a template, whose variable completion knows by name. */
export function templateOf(kind: ResourceKind): string {
  return `${kind}://{${variableOf(kind)}}`;
}

export function variableOf(kind: ResourceKind): string {
  return `${kind}_id`;
}
