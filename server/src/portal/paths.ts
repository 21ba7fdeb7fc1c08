import type { Brand } from '../platform/brand/brand.ts';
import type { Config } from '../platform/config/config.ts';
import type { Firm } from '../platform/config/firm.ts';
import { type AssetName, assetsOf } from './assets.ts';

/** The last part of a link's path, after its secret. */
export type Action =
  | 'bank'
  | 'limits'
  | 'decline'
  | 'withdraw'
  | 'confirm'
  | 'done'
  | 'all'
  | 'another'
  | 'dispute'
  | 'recognise'
  | 'agreement'
  | 'progress';

/** What every page refers to: the paths of the portal on this host, below the path of BASE_URL, the brand and the firms. */
export interface Paths {
  link(token: string, action?: Action): string;
  /** A link with its host, as another device needs it. */
  address(token: string): string;
  callback: string;
  /** Who provides the service. */
  about: string;
  firm: Firm;
  brand: Brand;
  /** Empty: the brand has no such file. */
  asset(name: AssetName): string;
  /** The sheet of style of a colour such as `#1d4ed8`. */
  colours(colour: string): string;
}

/** Returns the paths below a public base URL without a trailing slash. */
export function makePaths({
  baseUrl,
  brand,
  firm,
}: Pick<Config, 'baseUrl' | 'brand' | 'firm'>): Paths {
  const assets = assetsOf(brand);
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return {
    link: (token, action) =>
      `${base}/consent/${encodeURIComponent(token)}${action === undefined ? '' : `/${action}`}`,
    address: (token) => `${baseUrl}/consent/${encodeURIComponent(token)}`,
    callback: `${base}/consent/callback`,
    about: `${base}/consent/about`,
    firm,
    brand,
    asset: (name) => {
      const asset = assets[name];
      return asset === null ? '' : `${base}/consent/assets/${asset.file}`;
    },
    colours: (colour) => `${base}/consent/colours/${colour.slice(1)}.css`,
  };
}

/** Returns the merchant's return address with the outcome in its query: docs/rules/consents.md#back-to-the-merchant. */
export function returnAddress(returnUrl: string, scheduleId: string, status: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('schedule_id', scheduleId);
  url.searchParams.set('status', status);
  return url.href;
}
