import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { SEEDED_AT } from './hub.js';

const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SCREENS = fileURLToPath(new URL('../../var/screens/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What it found of elements that pass, and where elements stand, takes most of its time, and nobody reads it. */
const AXE_OPTIONS = "{ resultTypes: ['violations'], selectors: false }";

/**
 * The system's browser: where it is there the one without windows, which takes half the time.
 *
 * @param whole true for what the one without windows has not: the notifications of a page
 * @throws Error that says how to install one
 */
export async function openBrowser({ whole = false } = {}): Promise<Browser> {
  const executablePath = (whole ? WHOLE : [WITHOUT_WINDOWS, ...WHOLE]).find(existsSync);
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chromium: apt-get update && apt-get install -y --no-install-recommends chromium chromium-headless-shell',
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export const DESKTOP = { width: 1280, height: 800 } as const;
export const PHONE = { width: 375, height: 740 } as const;

/** A page of its own browser profile, at the time of the seeded data. Errors of scripts and refusals fail the test. */
export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and what the content security policy refused. */
  readonly errors: readonly string[];
}

/** Opens a tab. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  // What moves is drawn by the processor here, and takes a sixth of what a page does.
  const still = { reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-US', ...still, ...options });
  context.setDefaultTimeout(120_000);
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Refused to/i.test(message.text())) errors.push(message.text());
  });
  const page = await context.newPage();
  await page.clock.setSystemTime(SEEDED_AT);
  return { context, page, errors };
}

/** Sentences of the hub that would be English at a desk of another language. */
const ENGLISH =
  /\b(?:chose|took over|has (?:taken|put|returned|resolved|merged)|conversation|ticket of|while it waits|by hand|withdrew|failed|denied|Their words|Look|account|bookings?|charged?|paid|was|were|Because)\b/g;

/** Nothing of the hub's own is English on a page in another language. @param selector what the hub says, no customer */
export async function expectNotEnglish(page: Page, selector: string): Promise<void> {
  const said = (await page.locator(selector).allInnerTexts()).join('\n');
  expect(said.length, selector).toBeGreaterThan(10);
  expect([...new Set(said.match(ENGLISH) ?? [])], `English in ${said}`).toEqual([]);
}

/** What only programs say to one another: names in snake_case, ids, JSON, what was to be filled in, moments of the wire, values of code, rules (the short number of a request may hold one: 4EE-R94). */
const INTERNAL =
  /\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|[{[]\s*"[^"]*"\s*[:,\]]|\{\w+\}|\d{4}-\d\d-\d\dT\d|\b(?:null|undefined|NaN)\b|\[object|(?<!-)\bR\d{1,2}\b(?!-)|\b[a-z]{2,4}_(?=\w*\d)[a-z0-9]+\b/g;

/**
 * Nothing that is read on a page, folded parts and what screen readers say included, is a word of the program.
 * @param written parts whose words experts wrote about systems of their own
 */
export async function expectPlainWords(page: Page, name: string, written = '.skill details'): Promise<void> {
  const text = (await page.evaluate(`(() => {
    const folds = [...document.querySelectorAll('details:not([open])')].filter((one) => !one.matches('${written}'));
    for (const one of folds) one.open = true;
    const said = [...document.querySelectorAll('[aria-label], img[alt], [placeholder]')]
      .map((one) => [one.ariaLabel, one.alt, one.placeholder].join(' '));
    const text = [document.title, document.body.innerText, ...said].join('\\n');
    for (const one of folds) one.open = false;
    return text;
  })()`)) as string;
  expect(text.length, name).toBeGreaterThan(100);
  expect([...new Set(text.match(INTERNAL) ?? [])], `words of the program on ${name}`).toEqual([]);
}

interface AxeResult {
  readonly passes: number;
  readonly violations: readonly { readonly id: string; readonly nodes: readonly string[] }[];
}

/**
 * Runs axe with all its rules on what is shown, and keeps a picture of what breaks one in var/screens.
 * @param others rules that the markup of somebody else's component breaks
 */
export async function expectAccessible(
  page: Page,
  name: string,
  others: readonly string[] = [],
): Promise<void> {
  // What moves for ever (the dots of somebody typing) is not waited for; what fades in is looked at when it is there.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
    .map((one) => one.finished.catch(() => {})))`);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${AXE}; 0`);
  const { passes, violations } =
    (await page.evaluate(`axe.run(document, ${AXE_OPTIONS}).then(({ passes, violations }) => ({
      passes: passes.length,
      violations: violations.map(({ id, nodes }) => ({
        id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary),
      })),
    }))`)) as AxeResult;
  expect(passes, `axe looked at ${name}`).toBeGreaterThan(8);
  const broken = violations.filter(({ id }) => !others.includes(id));
  if (broken.length > 0) {
    mkdirSync(SCREENS, { recursive: true });
    await page.screenshot({ path: join(SCREENS, `${name}.png`) });
  }
  expect(broken, name).toEqual([]);
}
