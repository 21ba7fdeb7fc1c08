import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE, stateMachinesPage, stateMachinesRule } from './state-machines.ts';

/** Returns how many violations the rule finds on a page with this text; null: there is no such page. */
const breaks = (text: string | null): number =>
  stateMachinesRule.check(text === null ? [] : [{ path: PAGE, text }]).length;

test('a page that lacks an edge, or that is missing, is found', () => {
  const page = stateMachinesPage();
  assert.match(page, /\n {2}failed --> move : late payment, /);
  assert.equal(breaks(page), 0);
  assert.equal(breaks(page.replace('--> track', '--> move')), 1);
  assert.equal(breaks(null), 1);
});
