import { setImmediate as nextTick } from 'node:timers/promises';
import type { OperatorFigures, Report } from '../core/desk-reads.js';
import { issueTypeIds } from '../core/domain/company.js';
import { SENTIMENTS } from '../core/domain/taxonomy.js';
import type { FigureRow } from '../core/ports/desk-queries.js';
import type { DayFigures, DeskQueries } from '../core/ports/index.js';
import { localDays } from '../core/wall-clock.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const NO_FIGURES = { tickets: 0, withoutHuman: 0, turns: 0, costUsd: 0, negative: 0 };

/** The dashboard's figures: every day and issue type of the time, with zeros where there was nothing. */
export async function report(graph: GraphDeps, desk: DeskQueries, days: number): Promise<Report> {
  const { clock, time, company } = graph.tools;
  const issueTypes = issueTypeIds(company);
  const figures: DayFigures[] = [];
  for (const day of localDays(clock.now(), days, time.timeZone)) {
    figures.push(await desk.figures(day));
    // A day takes milliseconds; customers' turns come in between.
    await nextTick();
  }
  const minutes = minutesIn(graph);
  return {
    from: figures[0]?.day ?? '',
    to: figures.at(-1)?.day ?? '',
    rows: figures.flatMap((day) => rowsOf(day, issueTypes)),
    escalationReasons: byReason(figures.flatMap(({ escalated }) => escalated)),
    sentiments: figures.flatMap(({ day, sentiments }) =>
      SENTIMENTS.map((sentiment) => ({
        day,
        sentiment,
        count: sentiments.find((one) => one.sentiment === sentiment)?.count ?? 0,
      })),
    ),
    responseTimes: figures.map(({ day, hubMedianMs, hubP95Ms, firstAnswered }) => ({
      day,
      hubMedianMs,
      hubP95Ms,
      operatorMedianMinutes: median(minutes(firstAnswered)),
    })),
    ratings: figures.map(({ day, rated }) => ({ day, ...ratingsOf(rated) })),
    escalations: figures.flatMap(({ day, escalated }) => byReason(escalated).map((one) => ({ day, ...one }))),
    totals: totalsOf(figures, minutes),
    operators: operatorsOf(figures, minutes),
  };
}

type Minutes = (rows: readonly FigureRow[]) => readonly number[];

/** How long things took, in business hours. */
function minutesIn({ hours }: GraphDeps): Minutes {
  return (rows) =>
    rows.flatMap(({ begun, ended }) =>
      begun === null || ended === null
        ? []
        : [hours.businessMinutesBetween(new Date(begun), new Date(ended))],
    );
}

function rowsOf({ day, types }: DayFigures, issueTypes: readonly string[]): Report['rows'] {
  const known = new Map(types.map((one) => [one.issueType, one]));
  const others = types.filter(({ issueType }) => !issueTypes.includes(issueType));
  return [
    ...issueTypes.map((issueType) => ({ day, ...NO_FIGURES, ...known.get(issueType), issueType })),
    ...others.map((one) => ({ day, ...one })),
  ];
}

/** A ticket counts once for each reason, however often and on how many days it was escalated for it. */
function byReason(rows: readonly FigureRow[]): Report['escalationReasons'] {
  const reasons = [...new Set(rows.flatMap(({ detail }) => detail ?? []))];
  return reasons
    .map((reason) => ({ reason, count: ticketsOf(rows.filter(({ detail }) => detail === reason)) }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function ticketsOf(rows: readonly FigureRow[]): number {
  return new Set(rows.map(({ ticketId }) => ticketId)).size;
}

function ratingsOf(rows: readonly FigureRow[]): { readonly helpful: number; readonly unhelpful: number } {
  const helpful = rows.filter(({ detail }) => detail === 'helpful').length;
  return { helpful, unhelpful: rows.length - helpful };
}

function totalsOf(figures: readonly DayFigures[], minutes: Minutes): Report['totals'] {
  const sum = (of: (day: DayFigures) => number): number => figures.reduce((total, day) => total + of(day), 0);
  // What the hub resolves by itself takes no time of the operators.
  const ofHub = ratingsOf(figures.flatMap(({ rated }) => rated.filter(({ person }) => person === null)));
  const byOperators = figures.flatMap(({ resolved }) => resolved.filter(({ person }) => person !== null));
  return {
    opened: sum(({ types }) => types.reduce((total, { tickets }) => total + tickets, 0)),
    openedResolved: sum(({ openedResolved }) => openedResolved),
    deflected: sum(({ deflected }) => deflected),
    resolved: sum(({ resolved }) => resolved.length),
    reopened: sum(({ reopened }) => reopened.length),
    firstAnswerMinutes: median(minutes(figures.flatMap(({ firstAnswered }) => firstAnswered))),
    resolutionMinutes: median(minutes(byOperators)),
    hubHelpful: ofHub.helpful,
    hubUnhelpful: ofHub.unhelpful,
  };
}

function operatorsOf(figures: readonly DayFigures[], minutes: Minutes): readonly OperatorFigures[] {
  const rows = (of: (day: DayFigures) => readonly FigureRow[]): Map<string, FigureRow[]> => {
    const groups = new Map<string, FigureRow[]>();
    for (const row of figures.flatMap(of)) {
      const group = groups.get(row.person ?? '');
      if (group === undefined) groups.set(row.person ?? '', [row]);
      else group.push(row);
    }
    return groups;
  };
  const answered = rows((day) => day.answered);
  const firstAnswered = rows((day) => day.firstAnswered);
  const resolved = rows((day) => day.resolved);
  const reopened = rows((day) => day.reopened);
  const rated = rows((day) => day.rated);
  const names = new Set([...answered.keys(), ...resolved.keys(), ...rated.keys()]);
  names.delete('');
  return [...names]
    .map((operator) => ({
      operator,
      answered: ticketsOf(answered.get(operator) ?? []),
      firstAnswered: ticketsOf(firstAnswered.get(operator) ?? []),
      firstAnswerMinutes: median(minutes(firstAnswered.get(operator) ?? [])),
      resolved: resolved.get(operator)?.length ?? 0,
      resolutionMinutes: median(minutes(resolved.get(operator) ?? [])),
      reopened: reopened.get(operator)?.length ?? 0,
      ...ratingsOf(rated.get(operator) ?? []),
    }))
    .sort((a, b) => b.answered - a.answered || (a.operator < b.operator ? -1 : 1));
}

/** Nearest rank; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.at(Math.max(0, Math.ceil(sorted.length / 2) - 1)) ?? null;
}
