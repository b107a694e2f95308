import type { Session, Task } from '../core/domain/session.js';
import { LIKELY, likeliest } from './article-meant.js';
import type { GraphDeps } from './graph-deps.js';

/**
 * The tasks of a message, where a question that asks the same of several things becomes one for each: "how do I change my card and my
 * address?" is answered by two articles. A question whose things one article answers stays whole.
 */
export async function askedOfEach(
  deps: GraphDeps,
  session: Session,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  if (deps.models.provider !== 'offline') return tasks;
  const asked = await Promise.all(tasks.map((task) => questionsIn(deps, session, task)));
  return asked.flat();
}

async function questionsIn(deps: GraphDeps, session: Session, task: Task): Promise<readonly Task[]> {
  const questions = task.route === 'knowledge' ? deps.dialogue.sharedQuestions(task.text) : [];
  if (questions.length === 0) return [task];
  const found = await Promise.all(questions.map((question) => likeliest(deps, session, question)));
  const sure = found.flatMap((best) => (best && best.confidence >= LIKELY ? [best.title] : []));
  const isOneEach = sure.length === questions.length && new Set(sure).size === sure.length;
  if (!isOneEach) return [task];
  return questions.map((text, at) => ({ ...task, text, within: task.text, about: sure[at] ?? '' }));
}
