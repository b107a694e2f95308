import { findSecrets, type SecretKind } from './secrets.js';

const PLACEHOLDER = /\[(?:card|CPF|CNPJ|password|code|key) \d{1,4}\]/g;
/** Longest placeholder, to know how much of the end of a text may be the beginning of one. */
const LONGEST = '[password 9999]'.length;

/**
 * Puts placeholders such as `[card 1]` in the place of secrets, and knows what each stands for. One for all texts that
 * leave together; nothing of it is stored.
 */
export class SecretMask {
  readonly #placeholders = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #count = new Map<SecretKind, number>();

  /** Looks for secrets without changing anything, so that one that is named in a later text is hidden in an earlier one too. */
  learn(text: string): void {
    for (const { kind, start, end } of findSecrets(text)) this.#placeholderOf(kind, text.slice(start, end));
  }

  /** The text with placeholders. */
  mask(text: string): string {
    let masked = '';
    let at = 0;
    for (const { kind, start, end } of findSecrets(text)) {
      masked += `${text.slice(at, start)}${this.#placeholderOf(kind, text.slice(start, end))}`;
      at = end;
    }
    masked += text.slice(at);
    for (const [placeholder, value] of this.#values) {
      if (isTelling(value) && masked.includes(value)) masked = masked.split(value).join(placeholder);
    }
    return masked;
  }

  /** What the placeholders of a text stand for, in their places. @param quoted the text is JSON */
  restore(text: string, quoted = false): string {
    return text.replace(PLACEHOLDER, (placeholder) => {
      const value = this.#values.get(placeholder) ?? placeholder;
      return quoted ? JSON.stringify(value).slice(1, -1) : value;
    });
  }

  /** A text for people: the end of a number tells which is meant, and more of it is nobody's business. */
  show(text: string): string {
    return text.replace(PLACEHOLDER, (placeholder) => {
      const value = this.#values.get(placeholder);
      if (value === undefined) return placeholder;
      const digits = value.replace(/\D/g, '');
      if (placeholder.startsWith('[card')) return `•••• ${digits.slice(-4)}`;
      return /^\[C(?:PF|NPJ)/.test(placeholder) ? `•••${digits.slice(-2)}` : '••••';
    });
  }

  /** {@link restore} in every text of a value. */
  restoreIn<T>(value: T): T {
    return mapTexts(value, (text) => this.restore(text)) as T;
  }

  /** {@link mask} in every text of a value. */
  maskIn<T>(value: T): T {
    return mapTexts(value, (text) => this.mask(text)) as T;
  }

  #placeholderOf(kind: SecretKind, value: string): string {
    const digits = value.replace(/\D/g, '');
    const key = `${kind} ${/^(?:card|CPF|CNPJ)$/.test(kind) ? digits : value}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    const number = (this.#count.get(kind) ?? 0) + 1;
    this.#count.set(kind, number);
    const placeholder = `[${kind} ${number}]`;
    this.#placeholders.set(key, placeholder);
    this.#values.set(placeholder, value);
    return placeholder;
  }
}

/** Passes on a streamed text, and holds back its end while that may be the beginning of a placeholder. */
export class PlaceholderStream {
  #held = '';

  constructor(private readonly change: (text: string) => string) {}

  /** What may be passed on now. */
  push(piece: string): string {
    const text = this.#held + piece;
    const open = text.lastIndexOf('[');
    const waits = open !== -1 && !text.includes(']', open) && text.length - open < LONGEST;
    this.#held = waits ? text.slice(open) : '';
    return this.change(waits ? text.slice(0, open) : text);
  }

  /** What was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.change(rest);
  }
}

/** An ordinary word is not hidden wherever it stands, because somebody has made it a password. */
function isTelling(value: string): boolean {
  return value.length >= 5 && /[\d\W_]/.test(value);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
