import type { Examples } from '../../../server/src/platform/http/openapi/examples.ts';
import type { ApiDocument } from '../sdk-types.ts';
import { GIVEN, LIFE } from './life.ts';
import { codeSamples } from './samples.ts';
import { settled } from './settle.ts';
import { walk } from './walk.ts';

/** Where the service reads the examples of its document. */
export const EXAMPLES = 'server/src/platform/http/openapi/examples.json';

/** Walks the life through the sandbox, and returns the file of examples that it makes: the same whenever it is walked. */
export async function exampleFile(document: ApiDocument): Promise<string> {
  const { passing, ...walked } = await walk(document, LIFE);
  const { variables, responses, webhooks } = settled(walked, passing);
  const life = { chapters: LIFE, given: GIVEN, variables };
  const samples = await codeSamples(document, life);
  const examples: Examples = { ...life, responses, webhooks, samples };
  return `${JSON.stringify(examples, null, 1)}\n`;
}

/** Returns the operations of a document that no step of the life sends. */
export function unwalked({ paths }: ApiDocument): string[] {
  const sent = new Set(LIFE.flatMap(({ steps }) => steps.map(({ operationId }) => operationId)));
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId))
    .filter((operationId) => !sent.has(operationId));
}

/** Says which operations lack a step, and where it belongs. */
export const withoutStep = (operationIds: readonly string[]): string =>
  `No step in scripts/generate/examples/life-*.ts sends ${operationIds.join(', ')}. Add one to the chapter where a merchant meets it, then: npm run generate -- examples`;
