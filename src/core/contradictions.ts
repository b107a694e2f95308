/** What an investigation found and advises, as far as another one may contradict it. */
export interface Advised {
  /** What is called so where they are told apart: a part of a composite, a skill. */
  readonly step: string;
  readonly cause: string | null;
  readonly action: { readonly action: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
}

/** Findings that say otherwise of the same thing. */
export interface Contradiction<Finding extends Advised = Advised> {
  readonly about: 'root_cause' | 'recommended_action';
  readonly between: readonly Finding[];
}

/** What each side says of one thing. */
interface Said<Value> {
  readonly about: string;
  readonly said: readonly { readonly step: string; readonly value: Value }[];
}

/**
 * Where findings contradict each other: different causes of one matter, and different actions on one record, or the same
 * action with other figures.
 * @param rivals findings about one matter, by matter
 * @param buildsOn true where one of two findings was made from the other, and so may go beyond it
 */
export function contradictionsAmong<Finding extends Advised>(
  found: readonly Finding[],
  rivals: readonly (readonly Finding[])[],
  buildsOn: (one: Finding, other: Finding) => boolean = () => false,
): readonly Contradiction<Finding>[] {
  const causes = rivals.flatMap((group): Contradiction<Finding>[] => {
    const between = group.filter(({ cause }) => cause !== null);
    return differs(between.map(({ cause }) => cause)) ? [{ about: 'root_cause', between }] : [];
  });
  const actions = found.flatMap((one, at) =>
    found.slice(at + 1).flatMap((other): Contradiction<Finding>[] => {
      if (!contradict(one, other) || buildsOn(one, other)) return [];
      return [{ about: 'recommended_action', between: [one, other] }];
    }),
  );
  return [...causes, ...actions];
}

function contradict({ action: one }: Advised, { action: other }: Advised): boolean {
  return one !== null && other !== null && differs([one, other]) && namesSame(one.arguments, other.arguments);
}

/** Whether both are about one record: an id with the same value. */
function namesSame(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(one).some(
    ([name, value]) => /(?:^|_)id$/.test(name) && Object.hasOwn(other, name) && other[name] === value,
  );
}

/** True where not all of these values are the same. */
export function differs(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => JSON.stringify(value))).size > 1;
}

/** A contradiction by what each side says. */
export function whatIsSaid<Finding extends Advised>({ about, between }: Contradiction<Finding>) {
  const said = between.map((one): { step: string; value: Finding['cause'] | Finding['action'] } => ({
    step: one.step,
    value: about === 'root_cause' ? one.cause : one.action,
  }));
  return { about, said };
}

/** For the one who runs the skill: `They disagree on root_cause: a says x, b says y.` */
export function sayContradictions(all: readonly Said<unknown>[]): string {
  return all
    .map(({ about, said }) => {
      const each = said.map(({ step, value }) => `${step} says ${shortly(value)}`);
      return `They disagree on ${about}: ${each.join(', ')}.`;
    })
    .join(' ');
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text;
}

const MAX_SAID = 160;
