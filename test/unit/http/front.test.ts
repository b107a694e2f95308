import { expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/config.js';
import { Front } from '../../../src/surfaces/http/front.js';
import { until } from '../../support/until.js';

it('[BYO-16] between two hubs a request waits for the next one, and beyond a crowd it is told to come back', async () => {
  const front = new Front(2);
  await front.listen(parseConfig({ PORT: '0' }));
  const url = front.urlOf('127.0.0.1');
  const answers: number[] = [];
  const asked = [1, 2, 3].map(async () => answers.push((await fetch(url)).status));
  await until(() => answers.length === 1);
  expect(answers).toEqual([503]);
  front.open((_request, response) => void response.writeHead(204).end());
  await Promise.all(asked);
  expect(answers).toEqual([503, 204, 204]);
  await front.close()();
});
