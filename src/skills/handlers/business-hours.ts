import { HubError } from '../../core/errors.js';
import { type Handler, numberInput, textInput, timeInput } from './handler.js';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const MAX_DAYS = 366;

/**
 * Working time between two moments: `{ from, to = now, time_zone = America/Sao_Paulo, opens = 9, closes = 18 }` to
 * `{ minutes, hours }`, Monday to Friday, counted in steps of a quarter of an hour so that changes of the clock are right.
 */
export const businessHoursBetween: Handler = async (input, { clock }) => {
  const from = timeInput(input, 'from');
  const to = timeInput(input, 'to', clock.now().getTime());
  const opens = numberInput(input, 'opens', 9);
  const closes = numberInput(input, 'closes', 18);
  if (to - from > MAX_DAYS * 24 * 60 * MINUTE) {
    throw new HubError('input_invalid', `from and to may be at most ${MAX_DAYS} days apart.`, {
      field: 'to',
    });
  }
  const read = reader(textInput(input, 'time_zone', 'America/Sao_Paulo'));
  let worked = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / QUARTER) + 1) * QUARTER);
    const { weekday, hour } = read(at);
    if (weekday !== 'Sat' && weekday !== 'Sun' && hour >= opens && hour < closes) worked += end - at;
    at = end;
  }
  const minutes = Math.round(worked / MINUTE);
  return { minutes, hours: Math.round((minutes / 60) * 100) / 100 };
};

function reader(timeZone: string): (at: number) => { readonly weekday: string; readonly hour: number } {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `time_zone must be a name such as America/Sao_Paulo; ${timeZone} is none.`,
      {
        field: 'time_zone',
      },
      { cause: error },
    );
  }
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
    return { weekday: part('weekday'), hour: Number(part('hour')) + Number(part('minute')) / 60 };
  };
}
