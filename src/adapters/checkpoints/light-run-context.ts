import type { AsyncLocalStorage } from 'node:async_hooks';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';

/** Where LangChain keeps the config of the running step: `getRunnableConfig` and LangGraph's `interrupt` read it. */
const CHILD_CONFIG = Symbol.for('lc:child_config');
const CONTEXT_VARIABLES = Symbol.for('lc:context_variables');

type Provider = typeof AsyncLocalStorageProviderSingleton;
type RunWithConfig = Provider['runWithConfig'];
type Store = Record<PropertyKey, unknown>;

const INSTALLED = Symbol.for('uda-hub:light-run-context');

/**
 * LangChain makes a LangSmith run (with a time-ordered uuid, a date to the microsecond and a look at the environment) for
 * every step of every graph, also where nobody traces: a seventh of an offline turn. Where a step has no callbacks, this
 * keeps its config alone, as the library does for its lazy calls; with callbacks, which any tracing hands down from the
 * first step, the library's own way is taken.
 * Safe to call again.
 */
export function useLightRunContext(): void {
  const provider = AsyncLocalStorageProviderSingleton as Provider & { [INSTALLED]?: true };
  if (provider[INSTALLED]) return;
  provider[INSTALLED] = true;
  const ordinary: RunWithConfig = provider.runWithConfig.bind(provider);
  const light = <T>(config: RunnableConfig | undefined, work: () => T, avoidRoot?: boolean): T => {
    if (config?.callbacks) return ordinary(config, work, avoidRoot);
    const storage = provider.getInstance() as unknown as AsyncLocalStorage<Store | undefined>;
    const variables = storage.getStore()?.[CONTEXT_VARIABLES];
    const store: Store = avoidRoot ? {} : { extra: { [CHILD_CONFIG]: config } };
    if (variables !== undefined) store[CONTEXT_VARIABLES] = variables;
    return storage.run(avoidRoot && variables === undefined ? undefined : store, work);
  };
  provider.runWithConfig = light as RunWithConfig;
}
