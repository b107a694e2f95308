import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Document, parseDocument } from 'yaml';
import { z } from 'zod';
import type { JsonObject } from '../../core/domain/json.js';
import { primaryOf } from '../../core/domain/language.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { ActionKind } from '../../core/ports/language-layer.js';
import { schemaLine } from '../company-folder.js';
import { readYaml } from '../yaml-file.js';

/** A file of a company that a program wrote, for its people to look over. */
export interface Draft {
  readonly tool: string;
  readonly kind: 'read' | 'action';
  /** The inputs that became the session's customer. */
  readonly identity: readonly string[];
  /** For a change: true where a repeated call has one effect. */
  readonly repeatable: boolean | null;
  /** What keeps it from being used as it is; null where nothing does. */
  readonly undecided: string | null;
  readonly content: JsonObject;
}

/** A draft, and where it was written; null where there is a file already. */
export interface WrittenDraft extends Draft {
  readonly file: string | null;
}

/** For whom is drafted. */
export interface DraftedFor {
  readonly languages: readonly Language[];
  /** Ids of its entities. */
  readonly entities: readonly string[];
  /** The issue type of what no one has sorted yet. */
  readonly issueType: string;
}

const frames = z.record(
  z.string(),
  z.strictObject({
    confirm: z.string(),
    done: z.string(),
    matter: z.string(),
    unchanged: z.string(),
    effect: z.string(),
    ask: z.string(),
  }),
);
const FRAMES = fileURLToPath(new URL('drafts.yaml', import.meta.url));

/** The same text in every language, until somebody translates it. */
export function inAll({ languages }: DraftedFor, text: string): JsonObject {
  return Object.fromEntries(languages.map((language) => [language, text]));
}

/**
 * The sentences of a drafted change.
 * @param what it does, in a few words
 * @param shown names of the inputs that are shown
 * @param asked names of the inputs that are asked for
 * @param isApproved whether an operator is asked too
 */
export function draftedSentences(
  { languages }: DraftedFor,
  what: string,
  shown: readonly string[],
  asked: readonly string[],
  isApproved = false,
): JsonObject {
  const byLanguage = readYaml('drafts', FRAMES, frames);
  const plain = what.replaceAll(/[{}]/g, '').replaceAll("'", '’').replace(/\.$/, '');
  const lowered = plain.charAt(0).toLowerCase() + plain.slice(1);
  const inputs = shown.map((name) => `${spoken(name)} {${name}}`).join(', ');
  const say = (part: keyof (typeof byLanguage)[string], input = ''): JsonObject =>
    Object.fromEntries(
      languages.map((language) => {
        const frame = (byLanguage[primaryOf(language)] ?? byLanguage.en)?.[part] ?? '';
        const text = frame
          .replaceAll('[[what]]', lowered)
          .replaceAll(' [[inputs]]', inputs === '' ? '' : ` (${inputs})`)
          .replaceAll('[[input]]', spoken(input));
        return [language, text];
      }),
    );
  return {
    request: Object.fromEntries(languages.map((language) => [language, lowered])),
    ...{ confirm: say('confirm'), done: say('done'), matter: say('matter'), unchanged: say('unchanged') },
    ...(isApproved ? { approval: say('matter') } : {}),
    changes: say('effect'),
    ...Object.fromEntries(asked.map((name) => [`ask_${name}`, say('ask', name)])),
  };
}

function spoken(name: string): string {
  return name.replaceAll('_', ' ');
}

const KINDS: readonly (readonly [RegExp, ActionKind])[] = [
  [/cancel|delete|remove|void|terminate/i, 'cancel'],
  [/refund|return|reimburse/i, 'refund'],
  [/pause|suspend|freeze|hold/i, 'pause'],
  [/resume|reactivate|unfreeze/i, 'resume'],
];

/** What customers would call a change of this name. */
export function kindOf(name: string): ActionKind {
  return KINDS.find(([said]) => said.test(name))?.[1] ?? 'change';
}

/**
 * Writes drafts: to `reads/` and `actions/`, or to `drafts/`, which the hub does not read, where something has to be decided.
 * A file that is there is left as it is.
 */
export function writeDrafts(folder: string, drafts: readonly Draft[], from: string): readonly WrittenDraft[] {
  return drafts.map((draft) => {
    const room = `${draft.kind}s`;
    const name = `${draft.tool}.yaml`;
    if (existsSync(join(folder, room, name))) return { ...draft, file: null };
    const file = join(folder, ...(draft.undecided === null ? [] : ['drafts']), room, name);
    const notes = [
      ` Drafted from ${from}: look over what is read and done, and put its sentences into your own words.`,
      ...(draft.undecided === null ? [] : [` To decide, before it is moved to ${room}/: ${draft.undecided}`]),
    ];
    const document = new Document(draft.content);
    document.commentBefore = notes.join('\n');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${schemaLine(file, draft.kind)}${document.toString({ lineWidth: 120 })}`);
    return { ...draft, file };
  });
}

/** Adds a source to `sources.yaml`; one of that name is left as it is. @returns true where it was added */
export function addSource(folder: string, name: string, spec: JsonObject): boolean {
  const file = join(folder, 'sources.yaml');
  const document = existsSync(file)
    ? parseDocument(readFileSync(file, 'utf8'))
    : new Document({ sources: {} });
  if (document.hasIn(['sources', name])) return false;
  document.setIn(['sources', name], document.createNode(spec));
  writeFileSync(
    file,
    `${existsSync(file) ? '' : schemaLine(file, 'sources')}${document.toString({ lineWidth: 0 })}`,
  );
  return true;
}
