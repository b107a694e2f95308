import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { RemoteCard, RemoteSkill } from '../../core/ports/remote-agents.js';
import { isObject, own, readJson } from './bounded-json.js';
import { readEndpoints, type SpecificEndpoint } from './card-endpoints.js';
import { type GenericInterface, genericInterface } from './card-interfaces.js';
import { line, objects, strings } from './card-text.js';
import { badAnswer } from './faults.js';

/** A card as the adapter uses it: what others may see of it, and where its calls go. */
export interface ReadCard {
  readonly card: RemoteCard;
  /** By the id of the skill in `card.skills`. */
  readonly endpoints: ReadonlyMap<string, SpecificEndpoint>;
  /** Null where it takes no messages in a form that is spoken here. */
  readonly generic: GenericInterface | null;
}

export const MAX_CARD_BYTES = 256 * 1_024;
const MAX_DEPTH = 32;
const MAX_SKILLS = 100;
const CHARS = { id: 100, name: 100, description: 500, tag: 50, example: 200 };

/**
 * Reads a card of protocol 1.0 or 0.3. Everything in it is cut and cleaned; what is of the wrong type counts as missing.
 * @param url where the card was read: relative addresses are below it, and all of them must be of its origin
 * @throws HubError `remote_bad_answer` where it is no card, `remote_forbidden_address` where it leads elsewhere
 */
export function readCard(agent: string, text: string, url: URL): ReadCard {
  const raw = readJson(text, MAX_DEPTH);
  if (!isObject(raw))
    throw badAnswer(agent, 'with something that is no JSON object where its card should be');
  const name = line(own(raw, 'name'), CHARS.name);
  if (name === '' || !isCard(raw)) throw badAnswer(agent, 'with JSON that is no agent card');
  const stated = readSkills(own(raw, 'skills'));
  const { endpoints, skills } = readEndpoints(agent, raw, stated, url);
  const generic = genericInterface(agent, raw, url);
  const description = line(own(raw, 'description'), CHARS.description);
  const card = { name, description, skills: skills.slice(0, MAX_SKILLS), generic: generic !== null };
  return { card, endpoints, generic };
}

function isCard(raw: JsonObject): boolean {
  return ['skills', 'supportedInterfaces', 'url'].some((key) => own(raw, key) !== undefined);
}

function readSkills(list: JsonValue | undefined): readonly RemoteSkill[] {
  const skills = new Map<string, RemoteSkill>();
  for (const raw of objects(list, MAX_SKILLS)) {
    const id = line(own(raw, 'id') ?? own(raw, 'name'), CHARS.id);
    if (id === '' || skills.has(id)) continue;
    skills.set(id, {
      id,
      name: line(own(raw, 'name'), CHARS.name) || id,
      description: line(own(raw, 'description'), CHARS.description),
      tags: strings(own(raw, 'tags'), 20, CHARS.tag),
      examples: strings(own(raw, 'examples'), 10, CHARS.example),
      specific: null,
    });
  }
  return [...skills.values()];
}
