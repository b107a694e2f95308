/** What a ticket is about: the id of one of the company's issue types, checked where it comes in. */
export type IssueType = string;

/** How soon somebody must act, least to most pressing. */
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How the customer sounds. `frustrated` is anger or repeated contact, `negative` is merely unhappy. */
export const SENTIMENTS = ['positive', 'neutral', 'negative', 'frustrated'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** Where a ticket goes after triage: the route that an agent of the roster declares, or `escalation`. */
export type Route = string;

/** The route to the operators; no agent has it. */
export const ESCALATION_ROUTE = 'escalation';

/** Languages the hub answers in. */
export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in every language of the hub. */
export type Translated = Readonly<Record<Language, string>>;

/** Which kind of model wrote an answer. */
export type ProviderName = 'openai' | 'offline';

/** Why a ticket left the hub for a person. */
export const ESCALATION_REASONS = [
  'requires_human',
  'low_confidence',
  'customer_request',
  'sentiment_priority',
  'legal',
  'fault',
  'hop_limit',
] as const;
export type EscalationReason = (typeof ESCALATION_REASONS)[number];
