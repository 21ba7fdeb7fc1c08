import { sdkMethods } from '../../../sdk/test-support/methods.ts';
import type { ApiDocument } from '../sdk-types.ts';
import { resourcesOf } from './operations.ts';
import { phpClient } from './php.ts';
import { pythonClient } from './python.ts';

/** Where the clients of other languages have what is generated. */
const PYTHON_CLIENT = 'clients/python/src/recollect/api.py';
const PHP_CLIENT = 'clients/php/src/Api.php';

/** Returns the generated file of each client of another language, by its path: types as in the document, names as in the SDK. */
export async function clientFiles(
  document: ApiDocument,
  version: string,
): Promise<[path: string, text: string][]> {
  const resources = resourcesOf(document, await sdkMethods());
  return [
    [PYTHON_CLIENT, pythonClient(document, resources, version)],
    [PHP_CLIENT, phpClient(document, resources, version)],
  ];
}
