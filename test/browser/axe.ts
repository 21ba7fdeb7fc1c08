import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.0 to 2.2 at A and AA, and axe's best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** In light mode every rule is checked; in dark mode only those about colours, to save most of the time. */
const ASKED = {
  light: { type: 'tag', values: RULES },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;
const RUN = `(runOnly) => axe.run(document, {
  runOnly,
  resultTypes: ['violations'],
})`;
/** Ends colour transitions between the schemes, which would be reported otherwise. The end of one may start another. */
const SETTLE = `(() => {
  for (let round = 0; round < 20; round++) {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    if (passing.length === 0) return;
    for (const animation of passing) animation.finish();
  }
})()`;
const MAX_PLACES = 8;

/**
 * Fails if axe-core reports anything on the page, in light or in dark mode; `name` names the page in the message. The page is
 * left in light mode. Works under any Content-Security-Policy.
 */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  const found: string[] = [];
  if (!(await page.evaluate("'axe' in globalThis"))) await load(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(SETTLE);
    const { violations } = await page.evaluate<AxeResults>(
      `(${RUN})(${JSON.stringify(ASKED[colorScheme])})`,
    );
    found.push(...violations.map((violation) => describeViolation(violation, colorScheme)));
  }
  assert.ok(found.length === 0, `${name} is not accessible:\n${found.join('\n')}`);
}

/**
 * Loads axe-core into the page, straight by Chromium's protocol: `page.evaluate` would parse the large script twice. The session
 * ends with the page: its end would take away a virtual authenticator.
 */
async function load(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
}

/** Describes a violation, in lines: the rule, where it is broken and how to fix it. */
function describeViolation({ id, impact, help, nodes }: Result, colorScheme: string): string {
  const places = nodes.slice(0, MAX_PLACES).map(({ target, html, failureSummary = '' }) => {
    const why = failureSummary.split('\n').slice(1).join('; ').trim();
    return `    ${target.join(' ')}\n      ${html.slice(0, 160)}\n      ${why}`;
  });
  const rest = nodes.length > MAX_PLACES ? [`    and ${nodes.length - MAX_PLACES} more`] : [];
  return [`  ${id} (${impact ?? 'unknown'}, ${colorScheme}): ${help}`, ...places, ...rest].join(
    '\n',
  );
}
