import type { ExampleChapter } from '../../../server/src/platform/http/openapi/examples.ts';
import { FIRST_DAY } from './life-first-day.ts';
import { LATER } from './life-later.ts';

/** What is set before the first step, besides the address and the key. */
export const GIVEN: Readonly<Record<string, string>> = {
  webhook_url: 'https://example.com/webhooks',
};

/**
 * A life in the sandbox that comes by every operation of the API. The first step of an operation is its example in the document.
 * No step names a date: the same requests are accepted whenever they are sent.
 */
export const LIFE: readonly ExampleChapter[] = [...FIRST_DAY, ...LATER];
