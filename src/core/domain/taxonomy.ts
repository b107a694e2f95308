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

/** A BCP 47 tag such as `pt-BR`: one of those that the company lists, checked where it comes in. */
export type Language = string;

/** A text in the languages of the company. */
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
