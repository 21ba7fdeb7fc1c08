// Prints the OpenAPI document of the API and its Postman collection as JSON, from a service of its own checkout, a release’s.
import { startTestService } from '../../server/test-support/service.ts';

/** The documents of the API, as text. */
export interface Documents {
  openapi: string;
  postman: string;
}

/** The address that the documents name in place of that of the service which made them. */
const ADDRESS = 'http://localhost:4000';

/** Returns the documents as a service of this version serves them, without its address. */
async function makeDocuments(): Promise<Documents> {
  const service = await startTestService();
  const { baseUrl } = service;
  const read = async (path: string): Promise<string> => {
    const { body } = await service.api<object>('GET', path);
    return `${JSON.stringify(body, null, 2)}\n`.replaceAll(baseUrl, ADDRESS);
  };
  try {
    return { openapi: await read('/openapi.json'), postman: await read('/postman.json') };
  } finally {
    await service.close();
  }
}

process.stdout.write(JSON.stringify(await makeDocuments()));
