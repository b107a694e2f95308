import type { Attaching, DeskFiles } from '../core/attaching.js';
import { uploaderOf } from '../core/domain/attached-file.js';
import { HubError } from '../core/errors.js';
import type { FileStore } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { known } from './people.js';

/** What the files of the desk need. */
export interface DeskFilesDeps {
  readonly graph: GraphDeps;
  readonly attaching: Attaching;
  readonly files: Pick<FileStore, 'read'>;
}

/** Files at the desk; see DeskFiles. */
export function deskFiles(deps: DeskFilesDeps): DeskFiles {
  return {
    async attach(ticketId, operator, file) {
      const { threadId } = await known(deps, ticketId);
      return deps.attaching.keep(threadId, uploaderOf(operator), file);
    },
    async file(ticketId, operator, fileId) {
      const { threadId } = await known(deps, ticketId);
      const found = await deps.files.read(threadId, fileId, uploaderOf(operator));
      if (!found) throw new HubError('not_found', 'There is no such file.');
      return found;
    },
  };
}
