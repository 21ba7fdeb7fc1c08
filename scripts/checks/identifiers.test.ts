import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifiersRule, identifiersRuleOf } from './identifiers.ts';

const rule = identifiersRuleOf({ joinAnew: 'joinWithNewAccount', heir: 'successor' });
const found = (text: string, path = 'server/src/a.ts'): string[] =>
  rule.check([{ path, text }]).map(({ line, message }) => `${line} ${message}`);

test('identifiers: a name that was replaced is found, within others and in every spelling', () => {
  for (const name of ['joinAnew', 'JOIN_ANEW', 'join_anew', 'rejoin_joinAnewNow', '$joinAnew2'])
    assert.deepEqual(found(`\nconst ${name} = 1;`), [`2 ${name}: joinWithNewAccount`], name);
  assert.deepEqual(found('type HeirOf = { theHeir: 1 };'), [
    '1 HeirOf: successor',
    '1 theHeir: successor',
  ]);
  assert.deepEqual(found("operationId: 'joinAnew',"), ['1 joinAnew: joinWithNewAccount']);
});

test('identifiers: parts of words, other words between them, comments and pages are left alone', () => {
  assert.deepEqual(found('const heirloom = join(all); const joinAllAnew = theirs;'), []);
  assert.deepEqual(found('// the heir\n * of joinAnew'), []);
  assert.deepEqual(found('`joinAnew`', 'docs/a.md'), []);
});

test('identifiers: the names that were replaced are refused', () => {
  const text = 'allOrApart(items);';
  assert.equal(identifiersRule.check([{ path: 'server/src/a.ts', text }]).length, 1);
});
