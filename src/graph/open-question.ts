import type { AskedInput } from '../core/domain/entity.js';
import type { Focus, Session } from '../core/domain/session.js';
import type { OpenQuestion } from '../core/ports/language-layer.js';
import { openInputs } from '../runtime/offline-step.js';
import type { GraphDeps } from './graph-deps.js';

type Deps = Pick<GraphDeps, 'dialogue' | 'tools' | 'language'>;

/** True where a text replies to what the hub asked last. */
export function isReply(deps: Deps, focus: Focus | null, text: string, session: Session): boolean {
  if (focus === null) return false;
  // "The other one", of several, is still to be chosen.
  const isOpen = focus.choices.length > 1 && deps.dialogue.theOtherIn(text) !== null;
  if (isOpen || takesUp(deps, focus, text, session)) return true;
  return deps.language.isReply(text, session.language, questionOf(deps, focus));
}

/**
 * True where a yes to the one thing that was offered names it, or asks for nothing beside it: "Yes, the samba, that was his favourite.
 * Would it go to his card?", "yes please do it, I have waited for ages". Nothing is agreed to by it: what it asks for is confirmed.
 */
function takesUp({ dialogue, language, tools }: Deps, focus: Focus, text: string, session: Session): boolean {
  const [only, ...others] = focus.choices;
  if (!only || others.length > 0) return false;
  const [first = ''] = text.split(/[,.;!]\s/);
  const asked = dialogue.sentencesIn(session.lastReply ?? '').find((one) => one.endsWith('?')) ?? '';
  const says = (question: string) => dialogue.readAnswer(first, session.language, question).kind === 'yes';
  if (!says('') && !says(asked)) return false;
  const named = language.namedAmong(text, focus.choices, tools.clock.now(), false);
  if (named?.includes(only.id)) return true;
  const more = text.slice(first.length);
  const isElse = dialogue.changesNamed(text).some(({ tool }) => tool !== focus.intent);
  return !dialogue.asksFor(more) && !isElse && says(asked);
}

/** True where it says what was asked for, whatever else its words are most often taken for. */
export function answersInput(deps: Deps, focus: Focus | null, text: string, session: Session): boolean {
  return focus !== null && deps.language.answersInput(text, session.language, questionOf(deps, focus));
}

/** In more words something else may be told beside a choice. */
const BARE_WORDS = 3;

/** True where it is one of the choices that were asked for, by its name and no more. */
export function namesChoice(deps: Deps, focus: Focus | null, text: string): boolean {
  const { inputs = [] } = focus ? questionOf(deps, focus) : {};
  if (text.trim().split(/\s+/).length > BARE_WORDS) return false;
  return Object.keys(deps.language.choicesInstead(text, inputs, {})).length > 0;
}

/** What was asked last, with what the tool it was asked for takes. */
function questionOf({ tools }: Deps, focus: Focus): OpenQuestion {
  return { ...focus, now: tools.clock.now(), ...openInputs(focus, tools.roster.all.get(focus.intent)) };
}

/** What look-ups may be asked for. */
export function lookupInputs({ tools }: Pick<GraphDeps, 'tools'>): readonly AskedInput[] {
  return [...tools.roster.all.values()].flatMap(({ effect, asks }) =>
    effect === 'read' ? (asks?.inputs ?? []) : [],
  );
}
