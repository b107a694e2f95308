import type { Language } from '../../core/domain/taxonomy.js';
import {
  type CalendarDay,
  type DateContext,
  type DateRule,
  dayFrom,
  days,
  monthStart,
  partsOf,
  type Reading,
} from './date-reading.js';
import { NUMERIC_RULES } from './date-rules-numeric.js';
import { anyOf, COUNT, countOf, EN_DAYS, EN_SHORT_DAYS, PT_DAYS, PT_SHORT_DAYS } from './date-words.js';

const HOUR_MS = 3_600_000;

/** Wide on purpose: a show at 17:30 is "tonight" to some and "this afternoon" to others. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [5, 13],
  manha: [5, 13],
  cedo: [5, 13],
  afternoon: [12, 19],
  tarde: [12, 19],
  evening: [17, 27],
  night: [17, 27],
  noite: [17, 27],
};
const PART = `(?: (?:in the |at )?(morning|afternoon|evening|night)| (?:de |da |a |pela |na )?(manha|tarde|noite)| (cedo))?\\b`;

/** Narrows days to a part of the day where one was named. */
const partOf = (
  context: DateContext,
  starts: readonly CalendarDay[],
  part: string | undefined,
): Reading | null => {
  const hours = part === undefined ? undefined : PARTS[part];
  if (hours === undefined) return days(context, starts);
  return {
    grain: 'hour',
    ranges: starts.map((start) => ({
      from: context.zone.instant(start, hours[0]),
      to: context.zone.instant(start, hours[1]),
    })),
  };
};

const lastThree = (match: RegExpMatchArray): string | undefined =>
  match.slice(-3).find((group) => group !== undefined);

type Shift = 'coming' | 'this' | 'next' | 'last' | 'week-next' | 'week-last' | 'week-this';

/** The days a weekday can stand for, likeliest first. */
const weekdays = (context: DateContext, weekday: number, shift: Shift, language: Language): CalendarDay[] => {
  const ahead = (weekday - context.weekday + 7) % 7;
  const coming = context.today + ahead;
  const monday = context.today - ((context.weekday + 6) % 7);
  const inWeek = monday + ((weekday + 6) % 7);
  switch (shift) {
    case 'last':
      return [ahead === 0 ? coming - 7 : coming - 7];
    case 'week-next':
      return [inWeek + 7];
    case 'week-last':
      return [inWeek - 7];
    case 'week-this':
      return [inWeek];
    case 'next': {
      const soonest = ahead === 0 ? coming + 7 : coming;
      const nextWeek = inWeek + 7;
      // On a Wednesday, "next Friday" is in nine days to most and in two to many; "próxima sexta" the other way round.
      const order = language === 'pt-BR' ? [soonest, nextWeek] : [nextWeek, soonest];
      return soonest === nextWeek ? [soonest] : order;
    }
    case 'this':
      return coming === inWeek ? [coming] : [coming, inWeek];
    case 'coming':
      return [coming, coming - 7, coming + 7];
  }
};

/** Nouns that make "segunda", "quinta" before them an ordinal, not a day. */
const COUNTED =
  /^ (?:(?:e|ou) (?:a )?(?:primeira|terceira) |da (?:lista|fila)|dos? (?:itens|lista)|das? op|opc|vez|alternativa|linha|tentativa|mao|via\b|parte|parcela|cobranca|pessoa|fatura|edicao|compra|semana|mensagem|pergunta|posicao|de (?:cima|baixo))/;

const enShift = (before: string | undefined, after: string | undefined): Shift => {
  if (after !== undefined)
    return after.startsWith('next') ? 'week-next' : after.startsWith('last') ? 'week-last' : 'week-this';
  if (before === 'next' || before === 'following') return 'next';
  if (before === 'last' || before === 'past') return 'last';
  return before === 'this' || before === 'coming' ? 'this' : 'coming';
};

const ptShift = (before: string | undefined, after: string | undefined): Shift => {
  if (after !== undefined) {
    if (after.includes('semana'))
      return after.includes('passada')
        ? 'week-last'
        : /que vem|proxima/.test(after)
          ? 'week-next'
          : 'week-this';
    return after.startsWith('que') ? 'next' : after.startsWith('passad') ? 'last' : 'this';
  }
  if (before?.endsWith('proxima') === true || before?.endsWith('proximo') === true) return 'next';
  if (before?.endsWith('ultima') === true || before?.endsWith('ultimo') === true) return 'last';
  return before !== undefined && /^(?:n|d)?(?:ess|est)[ae]$/.test(before) ? 'this' : 'coming';
};

const PT_BEFORE =
  '(?:((?:n[ao] |d[ao] |[ao] |pr[ao] )?(?:proxim[ao]|ultim[ao])\\.?|[nd]?ess[ae]|[nd]?est[ae]|n[ao]|d[aeo]|pr[ao]|para(?: [ao])?|tod[ao]|[ao]) )?';
const PT_AFTER =
  '(?: (que vem|passad[ao]|agora|(?:d[ae]|n[ae]|dest|dess|nest|ness)a? ?(?:proxima )?semana(?: que vem| passada)?))?';

const WEEK_BACK = (context: DateContext): CalendarDay => context.today - ((context.weekday + 6) % 7);
const WEEKEND = (context: DateContext): CalendarDay =>
  context.weekday === 0 ? context.today - 1 : context.today + 6 - context.weekday;

/** Adds months, keeping the day where the month has it, else its last day. */
const addMonths = (context: DateContext, count: number): CalendarDay => {
  const first = monthStart(context.year, context.month + count);
  const { year, month } = partsOf(first);
  for (let day = context.day; day > 28; day -= 1) {
    const found = dayFrom(year, month, day);
    if (found !== null) return found;
  }
  return first + Math.min(context.day, 28) - 1;
};

const away = (context: DateContext, count: number, unit: string): Reading | null => {
  if (/^(?:day|dia)/.test(unit)) return days(context, [context.today + count]);
  if (/^(?:week|semana)/.test(unit)) return days(context, [context.today + 7 * count]);
  if (/^(?:month|mes)/.test(unit)) return days(context, [addMonths(context, count)]);
  const from = new Date(Math.floor((context.now.getTime() + count * HOUR_MS) / HOUR_MS) * HOUR_MS);
  return { grain: 'hour', ranges: [{ from, to: new Date(from.getTime() + HOUR_MS) }] };
};

const NAMED: Readonly<Record<string, number>> = {
  today: 0,
  hoje: 0,
  tomorrow: 1,
  amanha: 1,
  yesterday: -1,
  ontem: -1,
  anteontem: -2,
};
const UNIT = '(days?|weeks?|months?|hours?|dias?|semanas?|mes(?:es)?|horas?)';

/** A month, week or weekend that is this, the next or the last one. */
const which = (words: string): number =>
  /next|coming|que vem|proxim/.test(words) ? 1 : /last|past|passad|ultim/.test(words) ? -1 : 0;

/** All rules; where two match overlapping words the longer match is kept. */
export const RULES: readonly DateRule[] = [
  {
    pattern: new RegExp(`\\b(today|tomorrow|yesterday|hoje|amanha|ontem|anteontem)(?:'s)?${PART}`, 'g'),
    read: (match, context) =>
      partOf(context, [context.today + (NAMED[match[1] ?? ''] ?? 0)], lastThree(match)),
  },
  {
    pattern: new RegExp(
      `\\b(?:the )?(day after tomorrow|day before yesterday|depois d?e? ?amanha|antes de ontem)${PART}`,
      'g',
    ),
    read: (match, context) =>
      partOf(context, [context.today + (/tomorrow|amanha/.test(match[0]) ? 2 : -2)], lastThree(match)),
  },
  {
    pattern:
      /\b(?:tonight(?:'s)?|(?:this|last) (morning|afternoon|evening|night)|[nd]?(?:esta|essa) (manha|tarde|noite))\b/g,
    read: (match, context) =>
      partOf(
        context,
        [context.today - (match[0].startsWith('last') ? 1 : 0)],
        match[1] ?? match[2] ?? 'night',
      ),
  },
  {
    pattern: new RegExp(
      `\\b(?:(on|this|next|last|past|coming|following|every) )?(?:the )?(${anyOf(EN_DAYS)})(?:'s)?(?: ((?:next|this|last) week))?${PART}`,
      'g',
    ),
    read: (match, context) => {
      if (match[1] === 'every') return null;
      return partOf(
        context,
        weekdays(context, EN_DAYS[match[2] ?? ''] ?? 0, enShift(match[1], match[3]), 'en'),
        lastThree(match),
      );
    },
  },
  {
    pattern: new RegExp(`\\b(next|this|last) week'?s? (?:on )?(${anyOf(EN_DAYS)})\\b${PART}`, 'g'),
    read: (match, context) =>
      partOf(
        context,
        weekdays(context, EN_DAYS[match[2] ?? ''] ?? 0, enShift(undefined, match[1]), 'en'),
        lastThree(match),
      ),
  },
  {
    pattern: /\b(on|this|next|last|for|from) (sun|sat)\b\.?/g,
    read: (match, context) => {
      if (context.language === 'pt-BR') return null;
      return days(
        context,
        weekdays(context, EN_SHORT_DAYS[match[2] ?? ''] ?? 0, enShift(match[1], undefined), 'en'),
      );
    },
  },
  {
    pattern: new RegExp(
      `\\b${PT_BEFORE}(?:(${anyOf(PT_DAYS)})|([2-6])a)\\b(-?(?: ?feira)?)\\b${PT_AFTER}${PART}`,
      'g',
    ),
    read: (match, context, text) => {
      const before = match[1];
      const after = match[5];
      const part = lastThree(match);
      const sure = (match[4] ?? '') !== '' || after !== undefined || part !== undefined;
      if (before?.startsWith('tod') === true) return null;
      if (!sure && match[2] !== 'domingo' && match[2] !== 'sabado') {
        const next = text.slice((match.index ?? 0) + match[0].length);
        if (COUNTED.test(next) || context.counted.test(next)) return null;
        if ((match[2] === undefined || match[2] === 'segunda') && before === 'a') return null;
        if (match[2] === undefined && before === undefined) return null;
      }
      const weekday = match[2] === undefined ? Number(match[3]) - 1 : (PT_DAYS[match[2]] ?? 0);
      return partOf(context, weekdays(context, weekday, ptShift(before, after), 'pt-BR'), part);
    },
  },
  {
    pattern: new RegExp(
      `(^\\s*|\\b(?:n[ao]|d[aeo]|pr[ao]|[nd]?ess[ae]|proxim[ao]) )(${anyOf(PT_SHORT_DAYS)})\\b(-?feira)?`,
      'g',
    ),
    read: (match, context, text) => {
      const alone = (match[1] ?? '').trim() === '';
      if (
        context.language === 'en' ||
        (alone && !/^(?:-?feira)?\.?\s*$/.test(text.slice((match.index ?? 0) + match[0].length)))
      )
        return null;
      if (match[2] === 'ter' && (alone || /^(?:de|pra|do) /.test(match[1] ?? ''))) return null;
      return days(
        context,
        weekdays(
          context,
          PT_SHORT_DAYS[match[2] ?? ''] ?? 0,
          ptShift((match[1] ?? '').trim(), undefined),
          'pt-BR',
        ),
      );
    },
  },
  {
    pattern:
      /\b(?:(?:this|next|last|past|coming|the|over the|on the) )?weekend\b|\b(?:(?:[nd]?ess?e|[nd]?este|n?o|do|pro|proximo|no proximo|do proximo|ultimo|no ultimo) )?(?:fim|final) de semana(?: (?:que vem|passado))?\b/g,
    read: (match, context) => {
      const shift = which(match[0]);
      const start = WEEKEND(context);
      if (shift === 1)
        return days(
          context,
          match[0].startsWith('next') ? [start + 7, start] : [start, start + 7],
          'weekend',
          2,
        );
      return days(context, [start + 7 * shift], 'weekend', 2);
    },
  },
  {
    pattern:
      /\b(?:this|next|last|past|coming) week\b|\b(?:n?a |da )?(?:semana (?:que vem|passada)|(?:[nd]?ess?a|[nd]?esta|proxima|ultima) semana)\b/g,
    read: (match, context) => days(context, [WEEK_BACK(context) + 7 * which(match[0])], 'week', 7),
  },
  {
    pattern:
      /\b(?:this|next|last|past) month\b|\b(?:n?o |do )?(?:mes (?:que vem|passado)|(?:[nd]?esse|[nd]?este|proximo|ultimo) mes)\b/g,
    read: (match, context) => {
      const month = context.month + which(match[0]);
      const start = monthStart(context.year, month);
      return days(context, [start], 'month', monthStart(context.year, month + 1) - start);
    },
  },
  {
    pattern: new RegExp(`\\b(?:in|daqui(?: a)?|daki a|em|dentro de) (${COUNT}) ${UNIT}\\b(?! uteis)`, 'g'),
    read: (match, context) => away(context, countOf(match[1] ?? ''), match[2] ?? ''),
  },
  {
    pattern: new RegExp(`\\b(${COUNT}) ${UNIT} (from now|ago|atras)\\b`, 'g'),
    read: (match, context) =>
      away(context, countOf(match[1] ?? '') * (match[3] === 'from now' ? 1 : -1), match[2] ?? ''),
  },
  {
    pattern: new RegExp(`\\b(?:ha|faz) (?:uns |umas )?(${COUNT}) ${UNIT}\\b(?: atras\\b)?`, 'g'),
    read: (match, context) => away(context, -countOf(match[1] ?? ''), match[2] ?? ''),
  },
  ...NUMERIC_RULES,
];
