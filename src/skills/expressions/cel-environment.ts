import { Environment } from '@marcbachmann/cel-js';

/** Keeps an expression small enough to be evaluated at once, whoever wrote it. */
const LIMITS = {
  maxAstNodes: 400,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 8,
};

/** Arithmetic over a whole and a decimal number, which CEL itself refuses and every author expects. */
const MIXED = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => left / right,
} as const;

let shared: Environment | undefined;

/** Functions and operators of CEL, any variable, nothing of the program around it. Holds no state, so one is enough. */
export function celEnvironment(): Environment {
  shared ??= createEnvironment();
  return shared;
}

function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  for (const [sign, work] of Object.entries(MIXED)) {
    const mixed = (left: number | bigint, right: number | bigint): number =>
      work(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double: double`, mixed);
    environment.registerOperator(`double ${sign} int: double`, mixed);
  }
  return environment;
}
