import type { Catalogue } from '../shared/i18n.js';

interface Texts {
  readonly title: string;
  readonly skip: string;
  readonly navigation: string;
  readonly search: string;
  readonly nothing: string;
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly raw: string;
  readonly signedIn: string;
  readonly parameters: string;
  readonly request: string;
  readonly responses: string;
  readonly example: string;
  readonly required: string;
  readonly fields: string;
  readonly contents: string;
}

/** What the reference says by itself; the descriptions come from the API. */
export const TEXTS: Catalogue<Texts> = {
  en: {
    title: 'API reference',
    skip: 'Skip to the operations',
    navigation: 'Operations',
    search: 'Search operations',
    nothing: 'No operation matches.',
    loading: 'Loading the reference',
    failed: 'The reference could not be loaded.',
    tryAgain: 'Try again',
    raw: 'OpenAPI document (JSON)',
    signedIn: 'Needs a session token',
    parameters: 'Parameters',
    request: 'Request body',
    responses: 'Responses',
    example: 'Example',
    required: 'required',
    fields: 'Fields',
    contents: 'Contents',
  },
  'pt-BR': {
    title: 'Referência da API',
    skip: 'Ir para as operações',
    navigation: 'Operações',
    search: 'Buscar operações',
    nothing: 'Nenhuma operação encontrada.',
    loading: 'Carregando a referência',
    failed: 'Não foi possível carregar a referência.',
    tryAgain: 'Tentar de novo',
    raw: 'Documento OpenAPI (JSON)',
    signedIn: 'Precisa de um token de sessão',
    parameters: 'Parâmetros',
    request: 'Corpo da requisição',
    responses: 'Respostas',
    example: 'Exemplo',
    required: 'obrigatório',
    fields: 'Campos',
    contents: 'Conteúdo',
  },
};
