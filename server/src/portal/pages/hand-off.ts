import encodeQr from 'qr';
import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import { type ConsentPageState, progressOf } from '../standing.ts';

/** The quiet zone that the standard requires, in modules. */
const MARGIN = 4;

/** Renders the way from a wide screen to the phone with the bank's app: the same link, which the phone follows to the end. */
export function handOff(paths: Paths, standing: ConsentPageState): string {
  const { token } = standing;
  return html`<section class="hand-off" aria-labelledby="hand-off" !${following(paths, standing)}>
!${qrCode(paths.address(token))}
<div><h3 id="hand-off">Bank app on your phone?</h3>
<p class="quiet">Scan this code and approve there.
<span data-while="following" hidden>This page shows when you have finished.</span>
<span data-while="reloading">Then <a href="${nextOf(paths, standing)}">reload this page</a>.</span></p></div>
</section>`;
}

/** Returns the attributes of the place that follows what happens to the link in another browser. */
export function following(paths: Paths, standing: ConsentPageState): string {
  const { token } = standing;
  return html`data-follow="${paths.link(token, 'progress')}" data-progress="${progressOf(standing)}"
data-next="${nextOf(paths, standing)}"`;
}

/** The page that shows how a request went, or what changed since the terms that this page shows. */
const nextOf = (paths: Paths, { token, consent }: ConsentPageState): string =>
  `${paths.link(token, 'done')}?shown=${consent.termsVersion}`;

/** Draws a QR code, each row as its runs of dark modules. */
function qrCode(text: string): string {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: MARGIN });
  const size = rows.length;
  const runs = rows.map((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ]
      .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the link to this page"
shape-rendering="crispEdges"><rect class="light" width="${size}" height="${size}"/><path d="${runs.join('')}"/></svg>`;
}
