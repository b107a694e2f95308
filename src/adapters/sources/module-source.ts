import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError, hasCode, messageOf } from '../../core/errors.js';
import type { HttpAnswer, HttpRequest, RequestSource, SourceSpec } from '../../core/ports/data-source.js';
import { DEFAULT_TIMEOUT_MS, misconfigured, type Secret, settingOf } from './settings.js';

const FAILED = 500;
const UNKNOWN_KIND = 'ERR_UNKNOWN_FILE_EXTENSION';

/** Loads a program of a company's, which may be TypeScript. @param path absolute @throws what it throws itself, or what is wrong with it */
export async function importProgram(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { href } = pathToFileURL(path);
  try {
    return await import(href);
  } catch (error) {
    if (!hasCode(error, UNKNOWN_KIND)) throw error;
    // The commands run as JavaScript, see scripts/run.mjs.
    const { tsImport } = await import('tsx/esm/api');
    return tsImport(href, import.meta.url);
  }
}

/**
 * Functions of a company's own program, each a tool: it takes an object and answers JSON. `READ /NAME` and `CALL /NAME` call the
 * function that the module exports under the name. What it throws is an answer with the status 500: nobody can tell whether it did
 * something before.
 * @throws HubError `source_misconfigured` where there is no such module, or it cannot be run; a request throws `source_unavailable`
 *   where its function has not ended in time
 */
export async function openModule(spec: SourceSpec, secret: Secret): Promise<RequestSource> {
  const path = resolve(spec.folder ?? '', settingOf(spec, 'file', secret));
  const program = (await importProgram(path).catch((error: unknown) => {
    throw misconfigured(spec, `cannot be loaded from ${path}: ${messageOf(error)}`);
  })) as Readonly<Record<string, unknown>>;
  const limit = timeout(spec.timeoutMs ?? DEFAULT_TIMEOUT_MS, TimeoutStrategy.Aggressive);
  return {
    answers: 'request',
    async request({ path: name, body = {} }: HttpRequest): Promise<HttpAnswer> {
      const tool = program[name.slice(1)];
      if (typeof tool !== 'function')
        throw new HubError('source_rejected', `${path} exports no function ${name.slice(1)}.`, {
          source: spec.name,
        });
      const call = async (): Promise<unknown> =>
        (await (tool as (args: JsonObject) => unknown)(isObject(body) ? body : {})) ?? null;
      try {
        const answer = await limit.execute(call);
        return { status: 200, body: JSON.parse(JSON.stringify(answer)) as JsonValue };
      } catch (error) {
        if (error instanceof TaskCancelledError)
          throw new HubError('source_unavailable', `${name.slice(1)} of ${path} did not end in time.`, {
            source: spec.name,
          });
        const message = messageOf(error);
        return { status: FAILED, body: { message } };
      }
    },
    close: async () => undefined,
  };
}
