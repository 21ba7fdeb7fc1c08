import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JPEG, pngChunk, pngOf, pngWith } from '../../../test-support/images.ts';
import { readImage } from './image.ts';
import { fitInto, LARGEST_LOGO, readLogo } from './logo.ts';

const PNG = pngOf({ width: 3, height: 2 });
const NO_IMAGE = 'must be a PNG or JPEG image';
const changed = (bytes: Buffer, at: number, to: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at < 0 ? copy.length + at : at] = to;
  return copy;
};

test('type and size of an image are read from its bytes', () => {
  assert.deepEqual(readImage(PNG), { type: 'image/png', width: 3, height: 2 });
  assert.deepEqual(readImage(JPEG), { type: 'image/jpeg', width: 24, height: 12 });
  const described = pngOf({ width: 3, height: 2 }, pngChunk('tEXt', Buffer.from('Title\0A')));
  assert.deepEqual(readImage(described), { type: 'image/png', width: 3, height: 2 });
});

test('every image cut short or with a byte more is refused', () => {
  for (const image of [PNG, JPEG]) {
    for (let length = 0; length < image.length; length += 1)
      assert.equal(readImage(image.subarray(0, length)), null, `${length} bytes`);
    assert.equal(readImage(Buffer.concat([image, Buffer.from([0])])), null);
  }
});

test('what only calls itself an image is refused: other formats, pages, programs', () => {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const liars = {
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'a GIF': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
    'a page': page,
    'a PNG with a page behind it': Buffer.concat([PNG, page]),
    'a page with a PNG behind it': Buffer.concat([page, PNG]),
    'a page that begins as a PNG does': Buffer.concat([PNG.subarray(0, 8), page]),
    'a JPEG with a page behind it': Buffer.concat([JPEG, page]),
    'a page between the two ends of a JPEG': Buffer.concat([
      JPEG.subarray(0, 4),
      page,
      JPEG.subarray(-2),
    ]),
    'a PNG with a wrong checksum': changed(PNG, -1, 0),
    'a PNG without pixels': pngWith({ width: 3, height: 2 }),
    'a PNG with two ends': pngOf({ width: 3, height: 2 }, pngChunk('IEND', Buffer.alloc(0))),
    'a PNG whose header is not first': Buffer.concat([
      PNG.subarray(0, 8),
      pngChunk('tEXt', page),
      PNG.subarray(8),
    ]),
    'a JPEG without a picture': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9]),
    'a JPEG with a segment of no length': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]),
  };
  for (const [name, bytes] of Object.entries(liars)) assert.equal(readLogo(bytes), NO_IMAGE, name);
});

test('an image that would fill the memory of a phone, or has no size, is refused', () => {
  const pixels = pngChunk('IDAT', Buffer.from([0]));
  const sized = (width: number, height: number) => readLogo(pngWith({ width, height }, pixels));
  for (const [width, height] of [
    [2_001, 1] as const,
    [1, 2_001] as const,
    [0, 5] as const,
    [2 ** 31, 2 ** 31] as const,
  ])
    assert.equal(sized(width, height), 'must be at most 2000 pixels wide and high');
  assert.equal(typeof sized(2_000, 2_000), 'object');
});

test('a logo has at most 100 KB, and its address changes with its bytes', () => {
  const overhead = pngOf({ width: 3, height: 2 }, pngChunk('tEXt', Buffer.alloc(0))).length;
  const padded = (more: number) =>
    readLogo(
      pngOf(
        { width: 3, height: 2 },
        pngChunk('tEXt', Buffer.alloc(LARGEST_LOGO - overhead + more)),
      ),
    );
  assert.equal(typeof padded(0), 'object');
  assert.equal(padded(1), 'must be at most 100 KB');
  const [one, other] = [readLogo(PNG), readLogo(JPEG)];
  assert.ok(typeof one === 'object' && typeof other === 'object');
  assert.match(one.hash, /^[0-9a-f]{32}$/);
  assert.notEqual(one.hash, other.hash);
});

test('a logo is made smaller to fit, keeps its shape, and is never enlarged', () => {
  const box = { width: 200, height: 44 };
  assert.deepEqual(fitInto({ width: 88, height: 88 }, box), { width: 44, height: 44 });
  assert.deepEqual(fitInto({ width: 2_000, height: 100 }, box), { width: 200, height: 10 });
  assert.deepEqual(fitInto({ width: 30, height: 20 }, box), { width: 30, height: 20 });
  assert.deepEqual(fitInto({ width: 2_000, height: 1 }, box), { width: 200, height: 1 });
});
