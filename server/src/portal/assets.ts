import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages refer to. Its name changes with its content, so browsers may cache it forever. */
export interface Asset {
  file: string;
  type: string;
  body: string;
}

function load(name: string, type: string, parts: readonly string[] = [name]): Asset {
  const texts = parts.map((part) =>
    readFileSync(new URL(`./assets/${part}`, import.meta.url), 'utf8'),
  );
  const body = texts.join('\n');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { file: name.replace('.', `-${hash}.`), type: `${type}; charset=utf-8`, body };
}

const SHEETS = ['frame.css', 'parts.css', 'decision.css', 'outcome.css', 'screens.css'];

export const ASSETS = {
  style: load('portal.css', 'text/css', SHEETS),
  callback: load('callback.js', 'text/javascript'),
  icon: load('icon.svg', 'image/svg+xml'),
} as const;

export type AssetName = keyof typeof ASSETS;
