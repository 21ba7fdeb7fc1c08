import type { Branding } from '../merchants/branding/branding.ts';
import type { Brand } from '../platform/brand/brand.ts';
import type { Letter } from './letter.ts';

/** What the sentences of a notice take besides its facts. */
export interface Setting {
  /** The public address of the service. */
  baseUrl: string;
  merchantName: string;
  /** Where customers can write to; empty: unknown. */
  merchantEmail: string;
  timeZone: string;
  /** How letters to customers look. */
  branding: Branding;
  /** How all others look. */
  brand: Brand;
}

/** The facts of a notice; one that is missing reads as nothing. */
export type Facts = Readonly<Record<string, string>>;
export type Words = (facts: Facts, setting: Setting) => Omit<Letter, 'footer'>;
