import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2019, type AnySchema, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** Where the published OpenAPI descriptions are: beside the project, because we may not distribute them. */
export const SPECS =
  process.env.OPEN_BANKING_SPECS ??
  fileURLToPath(new URL('../../../shared/open-banking', import.meta.url));

/** One bank's own contract. */
export const BARCLAYS = `${SPECS}/banks/barclays-vrp-v4.0.json`;

/** Compiles validators for the named schemas of a published OpenAPI description. */
export function publishedSchemas(file: string): (name: string) => ValidateFunction {
  // OpenAPI 3.0 keywords that JSON Schema does not know (example, externalDocs …) are ignored.
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // The standard's extensible lists: a bank may add to them, but we and the sandbox use only published values.
  ajv.addKeyword({
    keyword: 'x-namespaced-enum',
    validate: (values: string[], value: string) => values.includes(value),
  });
  ajv.addFormat('int32', true);
  // JSON is YAML.
  ajv.addSchema(parse(readFileSync(file, 'utf8')) as AnySchema, 'published');
  return (name) => ajv.compile({ $ref: `published#/components/schemas/${name}` });
}

/** Compiles validators for the schemas of one bank's contract. Its patterns escape what the `u` flag forbids to escape. */
export function strictSchemas(file: string): (name: string) => ValidateFunction {
  const ajv = new Ajv2019({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')) as { schemas: AnySchema };
  ajv.addSchema({ schemas } as AnySchema, 'bank');
  return (name) => ajv.compile({ $ref: `bank#/schemas/${name}` });
}
