import type { Api } from '../../shared/api.js';
import type { CompanyChange, CompanyFile, CompanyFiles } from '../../shared/api-types.js';

const AT = '/api/desk/company';

/** The operators' calls about the company's files. All throw ApiError. A `key` makes a repeated write the same write. */
export function companyCalls(api: Api) {
  const write = (path: string, body: object, key: string): Promise<CompanyChange> =>
    api.post(`${AT}/changes${path}`, body, { idempotencyKey: key });
  return {
    companyFiles: (): Promise<CompanyFiles> => api.get(AT),
    companyFile: (path: string): Promise<CompanyFile> =>
      api.get(`${AT}/file?${new URLSearchParams({ path })}`),
    companyChange: (id: string): Promise<CompanyChange> => api.get(`${AT}/changes/${encodeURIComponent(id)}`),
    /** @param input.before the file as it was read */
    proposeChange: (
      input: {
        readonly path: string;
        readonly before: string;
        readonly text: string;
        readonly note: string;
      },
      key: string,
    ) => write('', input, key),
    tryChange: (id: string, what: 'check' | 'evaluation', key: string) =>
      write(`/${encodeURIComponent(id)}/trials`, { what }, key),
    decideChange: (id: string, decision: 'approve' | 'decline', key: string) =>
      write(`/${encodeURIComponent(id)}`, { decision }, key),
  };
}
