import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourError, contrastBetween, isLegible, legibleOn, mix } from './colour.ts';

test('a colour is taken if white text on it has a contrast of 4.5', () => {
  assert.equal(contrastBetween('#000000', '#ffffff'), 21);
  assert.equal(contrastBetween('#ffffff', '#ffffff'), 1);
  for (const colour of ['#1d4ed8', '#767676', '#AA0000']) assert.equal(colourError(colour), null);
  for (const colour of ['#777777', '#ffcc00', '#00ff00'])
    assert.match(`${colourError(colour)}`, /too light/);
  for (const colour of ['red', '#123', '#1234567', '#12345g', ''])
    assert.equal(colourError(colour), 'must be a colour such as #1d4ed8');
});

test('a colour is mixed with black or white until it can be read, and no further', () => {
  assert.equal(mix('#000000', '#ffffff', 0.5), '#808080');
  assert.equal(legibleOn('#ffffff', '#5b21b6', '#000000'), '#5b21b6');
  const light = legibleOn('#1d2823', '#5b21b6', '#ffffff');
  assert.ok(isLegible(light, '#1d2823') && light !== '#ffffff', light);
  assert.equal(legibleOn('#808080', '#808080', '#ffffff'), '#ffffff');
});
