import { readFileSync } from 'node:fs';
import type { Brand } from '../platform/brand/brand.ts';
import { type Asset, assetOf, brandFiles } from '../platform/brand/files.ts';

function load(name: string, type: string, parts: readonly string[] = [name]): Asset {
  const texts = parts.map((part) =>
    readFileSync(new URL(`./assets/${part}`, import.meta.url), 'utf8'),
  );
  return assetOf(name, `${type}; charset=utf-8`, texts.join('\n'));
}

const SHEETS = ['frame.css', 'parts.css', 'decision.css', 'outcome.css', 'screens.css'];

const OWN = {
  style: load('portal.css', 'text/css', SHEETS),
  callback: load('callback.js', 'text/javascript'),
  follow: load('follow.js', 'text/javascript'),
} as const;

/** The files that every page may refer to. */
export type Assets = typeof OWN & ReturnType<typeof brandFiles>;
export type AssetName = keyof Assets;

/** Returns the files of the portal of a brand. */
export const assetsOf = (brand: Brand): Assets => ({ ...OWN, ...brandFiles(brand) });
