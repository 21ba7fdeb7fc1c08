import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementNameError, statementNameOf } from './statement-name.ts';

test('without a statement name it is the first word of the name, as banks take it', () => {
  for (const [name, own] of [
    ['Fernhill Gym', 'FERNHILL'],
    ['The Larch & Co', 'LARCH'],
    ['Zoë’s Müsli', 'ZOES'],
    ['Wolverhampton Wanderers', 'WOLVERHAMP'],
    ['Systems Echo Ltd', 'PAYMENT'],
    ['The Executive Club', 'CLUB'],
    ['Ex Ec Ltd', 'PAYMENT'],
    ['3 Mobile', 'MOBILE'],
    ['Dr. Smith Dental', 'SMITH'],
    ['B&Q', 'BQ'],
    ['B & Q plc', 'BQ'],
    ['  - 24/7 - ', '247'],
    ['北京', 'PAYMENT'],
    ['', 'PAYMENT'],
  ] as const)
    assert.equal(statementNameOf({ name, statementName: null }), own, name);
  assert.equal(statementNameOf({ name: 'Fernhill Gym', statementName: 'GYM' }), 'GYM');
});

test('a statement name is 1 to 10 letters and digits that no bank refuses', () => {
  for (const fine of ['F', 'fernhill', '24SEVEN', 'ABCDEFGHIJ'])
    assert.equal(statementNameError(fine), null, fine);
  for (const wrong of ['', 'ABCDEFGHIJK', 'FERN HILL', 'ZOË', 'A-B', ' A'])
    assert.match(`${statementNameError(wrong)}`, /^must be 1 to 10/, wrong);
  assert.match(`${statementNameError('ECHO')}`, /banks refuse/);
});
