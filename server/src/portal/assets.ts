import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages refer to; its name changes with its content, so that browsers may keep it for ever. */
export interface Asset {
  file: string;
  type: string;
  body: string;
}

function load(name: string, ending: string, type: string): Asset {
  const body = readFileSync(new URL(`./assets/${name}.${ending}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { file: `${name}-${hash}.${ending}`, type: `${type}; charset=utf-8`, body };
}

export const ASSETS = {
  style: load('portal', 'css', 'text/css'),
  callback: load('callback', 'js', 'text/javascript'),
  icon: load('icon', 'svg', 'image/svg+xml'),
} as const;

export type AssetName = keyof typeof ASSETS;
