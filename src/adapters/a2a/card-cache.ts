import { isObject, type JsonObject, type JsonValue, own } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { RemoteCard, RemoteSkill } from '../../core/ports/remote-agents.js';
import type { Clock } from '../../core/ports/system.js';
import type { AgentSettings } from './agent-file.js';
import type { Attempts, Call, CallTimings, Limit } from './attempts.js';
import {
  type GenericInterface,
  genericInterface,
  readEndpoints,
  type SpecificEndpoint,
} from './card-endpoints.js';
import { badAnswer, cancelled, line, objects, readJson, strings } from './faults.js';
import { demandSuccess, type Wire, type WireAnswer } from './wire.js';

/** A card as the adapter uses it: what others may see of it, and where its calls go. */
interface ReadCard {
  readonly card: RemoteCard;
  /** By the id of the skill in `card.skills`. */
  readonly endpoints: ReadonlyMap<string, SpecificEndpoint>;
  /** Null where it takes no messages in a form that is spoken here. */
  readonly generic: GenericInterface | null;
}

const MAX_CARD_BYTES = 256 * 1_024;
const MAX_DEPTH = 32;
const MAX_SKILLS = 100;
const CHARS = { id: 100, name: 100, description: 500, tag: 50, example: 200 };

/**
 * Reads a card of protocol 1.0 or 0.3, or one with its capabilities as a list and `endpoints.tasks`. Everything in it is cut and cleaned; what is of the wrong type counts as missing.
 * @param url where the card was read: relative addresses are below it, and all of them must be of its origin
 * @throws HubError `remote_bad_answer` where it is no card, `remote_forbidden_address` where it leads elsewhere
 */
function readCard(agent: string, text: string, url: URL): ReadCard {
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
  const stated = ['skills', 'supportedInterfaces', 'url', 'endpoints'].some(
    (key) => own(raw, key) !== undefined,
  );
  return stated || Array.isArray(own(raw, 'capabilities'));
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

interface Kept {
  readonly read: ReadCard;
  readonly url: URL;
  readonly etag: string | undefined;
  readonly at: number;
  readonly freshUntil: number;
}

interface Failure {
  readonly error: HubError;
  readonly until: number;
}

interface CardCacheOptions {
  readonly settings: AgentSettings;
  readonly wire: Wire;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly timings: CallTimings;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One agent's card. A fresh one is given at once; an old one too, while a newer one is fetched; where none can be had,
 * the same failure is told for a moment, so that each call does not knock again.
 */
export class CardCache {
  readonly #options: CardCacheOptions;
  #kept: Kept | undefined;
  #failure: Failure | undefined;
  #fetching: Promise<ReadCard> | undefined;

  constructor(options: CardCacheOptions) {
    this.#options = options;
  }

  /** As last read, however old. */
  get last(): ReadCard | null {
    return this.#kept?.read ?? null;
  }

  /** @throws HubError see RemoteAgents */
  async get(call: Call): Promise<ReadCard> {
    const now = this.#now();
    const kept = this.#kept;
    if (kept !== undefined && now < kept.freshUntil) return kept.read;
    const failing = this.#failure !== undefined && now < this.#failure.until ? this.#failure : undefined;
    if (kept !== undefined && now < kept.at + this.#options.timings.cardStaleMs) {
      // Nobody waits for it, and nobody learns of its failure but the log.
      if (failing === undefined) this.#fetch({ ...call, options: {} }).catch(() => undefined);
      return kept.read;
    }
    if (failing !== undefined) throw again(failing.error);
    return this.#wait(this.#fetch(call), call);
  }

  /** Lets the next call read it anew: it named a place that is not there. */
  expire(): void {
    if (this.#kept !== undefined) this.#kept = { ...this.#kept, freshUntil: 0 };
  }

  /** Waits for what is being fetched. */
  async settled(): Promise<void> {
    await this.#fetching?.catch(() => undefined);
  }

  /** One at a time, whoever asks; it continues where only one of them leaves. */
  #fetch(call: Call): Promise<ReadCard> {
    this.#fetching ??= this.#read(call).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #read({ way, skill, options }: Call): Promise<ReadCard> {
    const { attempts, timings } = this.#options;
    const told = options.onTry === undefined ? {} : { onTry: options.onTry };
    try {
      const kept = await attempts.run({ way, skill, options: told }, (limit) => this.#load(limit));
      this.#kept = kept;
      this.#failure = undefined;
      return kept.read;
    } catch (error) {
      if (error instanceof HubError && error.code !== 'cancelled')
        this.#failure = { error, until: this.#now() + timings.cardRetryMs };
      throw error;
    }
  }

  async #load(limit: Limit): Promise<Kept> {
    const { settings, clock } = this.#options;
    const known = this.#kept;
    const places = known === undefined ? settings.cardUrls : [known.url];
    for (const [at, url] of places.entries()) {
      const answer = await this.#ask(url, known?.etag, limit);
      const now = this.#now();
      if (answer.status === 304 && known !== undefined)
        return { ...known, at: now, freshUntil: now + this.#lifetime(answer) };
      if (answer.status === 404 && at < places.length - 1) continue;
      demandSuccess(settings.name, answer, clock);
      const read = readCard(settings.name, answer.text, url);
      return { read, url, etag: answer.header('etag'), at: now, freshUntil: now + this.#lifetime(answer) };
    }
    throw new HubError('internal', `The agent ${settings.name} has no place for its card.`);
  }

  #ask(url: URL, etag: string | undefined, limit: Limit): Promise<WireAnswer> {
    return this.#options.wire.exchange({
      method: 'GET',
      url,
      headers: {
        ...this.#options.headers,
        accept: 'application/json',
        'a2a-version': '1.0',
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      maxBytes: MAX_CARD_BYTES,
      timeoutMs: limit.timeoutMs(),
      signal: limit.signal,
    });
  }

  #lifetime(answer: WireAnswer): number {
    const { cardMinMs, cardMaxMs, cardDefaultMs } = this.#options.timings;
    const control = answer.header('cache-control') ?? '';
    if (/\bno-(?:store|cache)\b/i.test(control)) return cardMinMs;
    const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
    const wanted = seconds === undefined ? cardDefaultMs : Number(seconds) * 1_000;
    return Math.min(cardMaxMs, Math.max(cardMinMs, wanted));
  }

  /** A caller who leaves does not wait on; the others do. */
  #wait(fetching: Promise<ReadCard>, { options: { signal } }: Call): Promise<ReadCard> {
    if (signal === undefined) return fetching;
    const { name } = this.#options.settings;
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(cancelled(name, signal.reason));
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      fetching.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

/** An error of its own for each caller, with the stack of where it was asked for. */
function again(error: HubError): HubError {
  return new HubError(error.code, error.message, { ...error.fields, remembered: true }, { cause: error });
}
