import type { MeantQuestion, Session } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';
import { callOff, mayCallOff } from './request-status.js';

/** What is said where somebody is in danger. */
const ALARMS = ['safety', 'self_harm'] as const;

/**
 * What a message asks that takes back the danger which the hub heard in an earlier one: "goodness me, nobody is hurt! May a child of four
 * come in?". It is noted for who has the request, who still looks at it.
 * @returns null where the hub has told of no danger, where the message takes nothing back, or where it tells of danger itself
 */
export async function alarmTakenBack(
  deps: GraphDeps,
  session: Session,
  text: string,
): Promise<MeantQuestion | null> {
  const { language, earlierReplies = '', lastReply } = session;
  const texts = deps.tools.texts.for(language);
  const said = `${earlierReplies}\n${lastReply ?? ''}`;
  const taken = texts.say('false_alarm', { asks: true });
  // Said before, it is not said again.
  const since = said.slice(Math.max(0, said.lastIndexOf(taken)));
  if (!ALARMS.some((alarm) => since.includes(texts.say(alarm)))) return null;
  const rest = deps.language.takesAlarmBack(text);
  if (rest === null || deps.language.dangerIn(text) !== null || deps.language.dangerIn(rest) !== null)
    return null;
  const isAsked = deps.dialogue.isQuestion(rest) || deps.dialogue.asksFor(rest);
  // "I am fine. I just cannot go on": where somebody may want to die, only a question about something else takes it back.
  if (since.includes(texts.say('self_harm')) && !(isAsked && rest.includes('?'))) return null;
  await callOff({ deps, session, text });
  return { text: isAsked ? rest : text, question: rest, takesBack: isAsked ? 'alarm' : 'alarm_alone' };
}

/**
 * What a message asks that also says that nobody was to be called: "I did not ask for a person. Is my data still stored?". It is noted for
 * who has the request.
 * @returns null where nobody was called, for a reason that a customer may take back, or the message asks nothing else
 */
export async function personTakenBack(
  deps: GraphDeps,
  session: Session,
  text: string,
): Promise<MeantQuestion | null> {
  const rest = deps.language.besideNoPerson(text);
  if (rest === null || !(deps.dialogue.isQuestion(rest) || deps.dialogue.asksFor(rest))) return null;
  const turn = { deps, session, text };
  if (!(await mayCallOff(turn)) || !(await callOff(turn))) return null;
  return { text: rest, question: rest, takesBack: 'person' };
}
